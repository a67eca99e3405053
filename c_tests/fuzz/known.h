/* Defects that are known and not mended yet: the fuzzer leaves out what shows them, so that it finds others. A line goes when
 * its defect is mended. */
#ifndef GRAPHCAP_FUZZ_KNOWN_H
#define GRAPHCAP_FUZZ_KNOWN_H

/* On a CUDA device: two contexts that each use a buffer of the other by a copy between peers, on a default stream or by work
 * that runs when all is destroyed, keep each other and what was used on them for ever. There no such copies are made. */
#define KNOWN_PEERS_IN_CIRCLES 1

#endif
