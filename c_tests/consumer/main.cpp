// The consumer as C++17: the same program, with the C++ layer's header in front of it.

#include <graphcap.hpp>

#include "main.c"
