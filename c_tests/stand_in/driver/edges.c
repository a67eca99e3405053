/* What edges carry: where in a kernel they begin, and whether the next one may begin early (CUgraphEdgeData). */

#include "model.h"

#include <stdlib.h>

void carry(struct carried **list, struct node *from, struct node *to, uint64_t data) {
    struct carried *edge;
    if (data == 0 || (edge = (struct carried *)malloc(sizeof *edge)) == NULL)
        return;
    edge->next = *list;
    edge->from = from;
    edge->to = to;
    edge->data = data;
    *list = edge;
}

uint64_t carried_by(const struct carried *list, const struct node *from, const struct node *to) {
    while (list != NULL && (list->from != from || list->to != to))
        list = list->next;
    return list == NULL ? 0 : list->data;
}

void carry_no_more(struct carried **list, const struct node *from, const struct node *to) {
    while (*list != NULL) {
        struct carried *edge = *list;
        if ((from == NULL || edge->from == from) && (to == NULL || edge->to == to)) {
            *list = edge->next;
            free(edge);
        } else {
            list = &edge->next;
        }
    }
}

uint64_t edge_data(unsigned char from_port, unsigned char type) {
    uint64_t data = 0;
    ((unsigned char *)&data)[0] = from_port;
    ((unsigned char *)&data)[2] = type;
    return data;
}

/* The end of a kernel comes behind the place where all its blocks have triggered, and that behind the one where they have begun. */
uint64_t waits_longer(uint64_t data, uint64_t other) {
    return *(unsigned char *)&data <= *(unsigned char *)&other ? data : other;
}

int can_carry(const struct node *from, uint64_t data) {
    /* The port where all blocks have triggered, with the programmatic type; where they have begun, with either type. */
    const uint64_t allowed[3] = {edge_data(1, 1), edge_data(2, 0), edge_data(2, 1)};
    size_t i;
    for (i = 0; i < 3; i++)
        if (data == allowed[i])
            return from->kind == NODE_KERNEL;
    return data == 0;
}

void carry_to(struct stream *stream, struct node *node) {
    const struct carried *edge;
    for (edge = stream->carried; edge != NULL; edge = edge->next)
        carry(&stream->capture->graph->carried, edge->from, node, edge->data);
    carry_no_more(&stream->carried, NULL, NULL);
}
