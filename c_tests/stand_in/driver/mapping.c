/* Reserved addresses, and memory that is mapped behind them: pages of the process, which nobody may touch until access is
 * set, nor when they were unmapped. */
#define _DEFAULT_SOURCE /* mmap without a file, madvise */
#include "model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t PAGE = (size_t)2 << 20;

/* A part of the addresses, which were reserved at once. */
struct reservation {
    uint64_t address;
    size_t bytes;
};

/* Memory that was created; it lives as long as its handle and its mapping, each of which it has once. */
struct memory {
    /* Handles begin with 1. */
    uint64_t handle;
    size_t bytes;
    int has_handle;
    /* Where it is mapped; 0 for nowhere. */
    uint64_t address;
};

static struct reservation *reservations;
static size_t reservation_count;
static struct memory *memories;
static size_t memory_count;
static uint64_t last_handle;

static struct reservation *reservation_of(uint64_t address, size_t bytes) {
    size_t i;
    for (i = 0; i < reservation_count; i++)
        if (address >= reservations[i].address && address - reservations[i].address <= reservations[i].bytes &&
            bytes <= reservations[i].bytes - (size_t)(address - reservations[i].address))
            return &reservations[i];
    return NULL;
}

int is_reserved(uint64_t address, uint64_t *start, size_t *bytes) {
    const struct reservation *found = reservation_of(address, 1);
    if (found != NULL) {
        *start = found->address;
        *bytes = found->bytes;
    }
    return found != NULL;
}

DRIVER int cuMemGetAllocationGranularity(size_t *out, const void *properties, unsigned option) {
    ENTER(cuMemGetAllocationGranularity);
    if (out == NULL || properties == NULL || option > 1)
        return INVALID_VALUE;
    *out = PAGE;
    return OK;
}

DRIVER int cuMemAddressReserve(uint64_t *out, size_t bytes, size_t alignment, uint64_t wanted, uint64_t flags) {
    struct reservation *grown;
    char *start;
    uint64_t address;
    ENTER(cuMemAddressReserve);
    if (bytes == 0 || bytes % PAGE != 0 || wanted != 0 || flags != 0 || alignment != PAGE)
        return INVALID_VALUE;
    /* The pages that are too many for the alignment go back at once. */
    start = (char *)mmap(NULL, bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return OUT_OF_MEMORY;
    address = ((uint64_t)(uintptr_t)start + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    if (address > (uint64_t)(uintptr_t)start)
        munmap(start, (size_t)(address - (uint64_t)(uintptr_t)start));
    munmap((char *)(uintptr_t)(address + bytes), PAGE - (size_t)(address - (uint64_t)(uintptr_t)start));
    pthread_mutex_lock(&model_lock);
    grown = (struct reservation *)realloc(reservations, (reservation_count + 1) * sizeof *grown);
    if (grown == NULL)
        abort();
    reservations = grown;
    reservations[reservation_count].address = address;
    reservations[reservation_count++].bytes = bytes;
    count_live(STAND_IN_ALLOCATIONS, 1);
    *out = address;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuMemAddressFree(uint64_t address, size_t bytes) {
    struct reservation *reservation;
    int answer = enter("cuMemAddressFree");
    size_t i;
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    reservation = reservation_of(address, bytes);
    for (i = 0; i < memory_count; i++)
        if (memories[i].address != 0 && memories[i].address - address < bytes)
            reservation = NULL;
    if (reservation == NULL || reservation->address != address || reservation->bytes != bytes) {
        note_violation("addresses were given back that are not reserved so, or behind which memory is mapped");
        answer = INVALID_VALUE;
    } else {
        munmap((void *)(uintptr_t)address, bytes);
        *reservation = reservations[--reservation_count];
        count_live(STAND_IN_ALLOCATIONS, -1);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemCreate(uint64_t *out, size_t bytes, const void *properties, uint64_t flags) {
    struct memory *grown;
    int answer = OK;
    ENTER(cuMemCreate);
    if (properties == NULL || bytes == 0 || bytes % PAGE != 0 || flags != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    if (!take_bytes(bytes)) {
        answer = OUT_OF_MEMORY;
    } else {
        grown = (struct memory *)realloc(memories, (memory_count + 1) * sizeof *grown);
        if (grown == NULL)
            abort();
        memories = grown;
        memset(&memories[memory_count], 0, sizeof memories[0]);
        memories[memory_count].handle = ++last_handle;
        memories[memory_count].bytes = bytes;
        memories[memory_count++].has_handle = 1;
        count_live(STAND_IN_ALLOCATIONS, 1);
        *out = last_handle;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* Memory that has neither a handle nor a mapping goes. */
static void end_unused(struct memory *memory) {
    if (memory->has_handle || memory->address != 0)
        return;
    give_bytes_back(memory->bytes);
    count_live(STAND_IN_ALLOCATIONS, -1);
    *memory = memories[--memory_count];
}

static struct memory *memory_of(uint64_t handle) {
    size_t i;
    for (i = 0; i < memory_count; i++)
        if (memories[i].handle == handle && memories[i].has_handle)
            return &memories[i];
    return NULL;
}

DRIVER int cuMemRelease(uint64_t handle) {
    struct memory *memory;
    int answer = enter("cuMemRelease");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    memory = memory_of(handle);
    if (memory == NULL) {
        note_violation("a handle of memory was given back that is none");
        answer = INVALID_VALUE;
    } else {
        memory->has_handle = 0;
        end_unused(memory);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags) {
    struct memory *memory;
    int answer = OK;
    size_t i;
    ENTER(cuMemMap);
    pthread_mutex_lock(&model_lock);
    memory = memory_of(handle);
    if (memory == NULL || memory->address != 0 || memory->bytes != bytes || offset != 0 || flags != 0 ||
        address % PAGE != 0 || reservation_of(address, bytes) == NULL)
        answer = INVALID_VALUE;
    for (i = 0; i < memory_count; i++)
        if (memories[i].address != 0 && memories[i].address < address + bytes &&
            address < memories[i].address + memories[i].bytes)
            answer = INVALID_VALUE;
    if (answer == OK)
        memory->address = address;
    else
        note_violation("memory was mapped where that is not possible");
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemUnmap(uint64_t address, size_t bytes) {
    int answer = enter("cuMemUnmap");
    size_t i;
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    for (i = 0; i < memory_count; i++)
        if (memories[i].address == address && memories[i].bytes == bytes)
            break;
    if (i == memory_count || address == 0) {
        note_violation("memory was unmapped that is not mapped so");
        answer = INVALID_VALUE;
    } else {
        /* The content goes with it. */
        if (is_device_memory(address, 1)) {
            range_end(address);
            madvise((void *)(uintptr_t)address, bytes, MADV_DONTNEED);
            mprotect((void *)(uintptr_t)address, bytes, PROT_NONE);
        }
        memories[i].address = 0;
        end_unused(&memories[i]);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemSetAccess(uint64_t address, size_t bytes, const void *devices, size_t count) {
    int answer = INVALID_VALUE;
    size_t i;
    ENTER(cuMemSetAccess);
    pthread_mutex_lock(&model_lock);
    for (i = 0; i < memory_count && answer != OK; i++)
        if (memories[i].address == address && memories[i].bytes == bytes && devices != NULL && count > 0)
            answer = OK;
    if (answer != OK) {
        note_violation("access was set to memory that is not mapped so");
    } else if (!is_device_memory(address, 1)) {
        range_begin(address, bytes);
        if (mprotect((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE) != 0)
            abort();
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}
