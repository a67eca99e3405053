/// Marks the functions whose status a program must not ignore. A program that defines it as empty before it includes
/// this header may ignore any status.
#ifndef GRAPHCAP_NODISCARD
#if defined(__cplusplus) && __cplusplus >= 201703L
#define GRAPHCAP_NODISCARD [[nodiscard]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define GRAPHCAP_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define GRAPHCAP_NODISCARD __attribute__((__warn_unused_result__))
#else
#define GRAPHCAP_NODISCARD
#endif
#endif
