/* Pictures for quickstart.c: reading PGM and PPM files, making a film of one, writing results. No graphcap here. */
#ifndef QUICKSTART_PICTURE_H
#define QUICKSTART_PICTURE_H

#include "quickstart_kernels.h"

#include <stdio.h>

enum { LARGEST_SIDE = 8192 };

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "quickstart: %s\n", what);
    exit(1);
}

/* The next number of a picture's header, past comments. */
static int32_t read_number(FILE *file) {
    int number = 0, skipped;
    while (fscanf(file, "%d", &number) != 1) {
        require(fgetc(file) == '#', "the picture's header is damaged");
        while ((skipped = fgetc(file)) != '\n' && skipped != EOF) {}
    }
    return number;
}

/* Reads a binary PGM or PPM file: its shape and its samples, which are the caller's to free. */
static uint8_t *read_picture(const char *path, shape *s, size_t *size) {
    FILE *file = fopen(path, "rb");
    require(file != NULL, "cannot open the picture");
    int magic = fgetc(file), kind = fgetc(file);
    require(magic == 'P' && (kind == '5' || kind == '6'), "the picture must be a binary PGM (P5) or PPM (P6)");
    s->width = read_number(file);
    s->height = read_number(file);
    s->channels = kind == '6' ? 3 : 1;
    require(s->width >= 1 && s->width <= LARGEST_SIDE && s->height >= 1 && s->height <= LARGEST_SIDE,
            "a side of the picture is below 1 or above 8192 pixels");
    require(read_number(file) == 255 && fgetc(file) != EOF, "the picture must have 8 bits per sample");
    *size = (size_t)s->width * (size_t)s->height * (size_t)s->channels;
    uint8_t *samples = malloc(*size);
    require(samples != NULL && fread(samples, 1, *size, file) == *size, "the picture is cut short");
    fclose(file);
    return samples;
}

/* Frame `index` of the film: the picture moved to the left by `index` pixels, and a little brighter. */
static void make_frame(uint8_t *frame, const uint8_t *picture, size_t size, int channels, int index) {
    size_t moved = (size_t)(index * channels) % size;
    for (size_t i = 0; i < size; i++) {
        int sample = picture[i + moved < size ? i + moved : i + moved - size] + index % 64;
        frame[i] = (uint8_t)(sample > 255 ? 255 : sample);
    }
}

/* Writes `size` bytes to the file `name` + `ending`, behind a PGM header where a shape is given. */
static void write_file(const char *name, const char *ending, const void *bytes, size_t size, const shape *picture) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s%s", name, ending);
    require(length > 0 && (size_t)length < sizeof path, "the name of the output is too long");
    FILE *file = fopen(path, "wb");
    require(file != NULL, "cannot create the output file");
    if (picture) fprintf(file, "P5\n%d %d\n255\n", picture->width, picture->height);
    require(fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "cannot write the output file");
    printf("wrote                 %s\n", path);
}

#endif
