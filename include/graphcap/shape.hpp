/**
 * @file graphcap/shape.hpp
 * The shape of launches. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_SHAPE_HPP
#define GRAPHCAP_SHAPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "handle.hpp"

namespace graphcap {

/** A number of blocks or threads in up to three dimensions. */
struct Dim3 {
    constexpr Dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) noexcept : x(x_), y(y_), z(z_) {}
    std::uint32_t x, y, z;
};

/** A launch attribute whose value is a number; `id` is a GRAPHCAP_LAUNCH_ATTRIBUTE_ number. */
inline gc_launch_attribute launch_attribute(gc_launch_attribute_id id, std::int32_t number) noexcept {
    gc_launch_attribute attribute;
    gc_launch_attribute_init_number(&attribute, id, number);
    return attribute;
}
/** The launch attribute of clusters of so many blocks. */
inline gc_launch_attribute cluster_dimension(Dim3 blocks) noexcept {
    gc_launch_attribute attribute;
    gc_launch_attribute_init_dimensions(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, blocks.x, blocks.y,
                                        blocks.z);
    return attribute;
}

/** The shape of a launch: blocks in the grid, threads in a block, bytes of shared memory per block. */
struct Shape {
    Shape(Dim3 grid_ = {}, Dim3 block_ = {}, std::uint32_t shared_mem_bytes_ = 0) noexcept
        : grid(grid_), block(block_), shared_mem_bytes(shared_mem_bytes_) {}
    /** Returns this grid, block and shared memory with these launch attributes. */
    Shape with(std::vector<gc_launch_attribute> attributes_) const {
        Shape shape(grid, block, shared_mem_bytes);
        shape.attributes = std::move(attributes_);
        return shape;
    }
    Dim3 grid, block;
    std::uint32_t shared_mem_bytes;
    std::vector<gc_launch_attribute> attributes;
};

namespace detail {

/** A shape as graphcap.h takes it. Valid as long as the shape, whose attributes it points to. */
inline gc_launch_config launch_config(const Shape& shape) noexcept {
    auto config = versioned<gc_launch_config>();
    const auto set = [](std::uint32_t(&out)[3], const Dim3& dim) {
        out[0] = dim.x;
        out[1] = dim.y;
        out[2] = dim.z;
    };
    set(config.grid_dim, shape.grid);
    set(config.block_dim, shape.block);
    config.shared_mem_bytes = shape.shared_mem_bytes;
    config.attributes = shape.attributes.data();
    config.attribute_count = shape.attributes.size();
    return config;
}

/** Shape and arguments of a launch, as graphcap.h takes them. Valid as long as the shape and the values that the
 *  arguments point to. */
template <std::size_t Count>
struct Call {
    template <class... Arguments>
    explicit Call(const Shape& shape, const Arguments&... list) noexcept
        : config(launch_config(shape)), arguments{{list...}} {}
    const gc_kernel_arg* data() const noexcept { return arguments.data(); }
    std::size_t size() const noexcept { return Count; }

    gc_launch_config config;
    std::array<gc_kernel_arg, Count> arguments;
};

} // namespace detail

} // namespace graphcap

#endif
