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

int can_carry(const struct node *from, uint64_t data) {
    uint64_t allowed[3] = {0, 0, 0};
    size_t i;
    /* The port where all blocks have triggered, with the programmatic type; where they have begun, with either type. */
    ((unsigned char *)&allowed[0])[0] = 1;
    ((unsigned char *)&allowed[0])[2] = 1;
    ((unsigned char *)&allowed[1])[0] = 2;
    ((unsigned char *)&allowed[2])[0] = 2;
    ((unsigned char *)&allowed[2])[2] = 1;
    for (i = 0; i < 3; i++)
        if (data == allowed[i])
            return from->kind == NODE_KERNEL;
    return data == 0;
}

void carry_to(struct stream *stream, struct node *node) {
    const struct carried *edge;
    for (edge = stream->carried; edge != NULL; edge = edge->next)
        if (node->kind == NODE_KERNEL)
            carry(&stream->capture->graph->carried, edge->from, node, edge->data);
    carry_no_more(&stream->carried, NULL, NULL);
}
