// SPDX-License-Identifier: Apache-2.0
// What small processors spend their time on: lists, matrices, text, checksums, divisions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

struct Node {
    struct Node* next;
    int16_t key;
    uint16_t data;
};

static struct Node nodes[200];

static struct Node* sort_list(struct Node* list) {
    if (list == NULL || list->next == NULL) return list;
    struct Node* slow = list;
    for (struct Node* fast = list->next; fast != NULL && fast->next != NULL;
         fast = fast->next->next)
        slow = slow->next;
    struct Node* right = sort_list(slow->next);
    slow->next = NULL;
    struct Node* left = sort_list(list);
    struct Node head = {0};
    struct Node* last = &head;
    while (left != NULL && right != NULL) {
        struct Node** const smaller = left->key <= right->key ? &left : &right;
        last->next = *smaller;
        last = *smaller;
        *smaller = (*smaller)->next;
    }
    last->next = left != NULL ? left : right;
    return head.next;
}

static uint32_t lists(uint32_t seed) {
    for (unsigned i = 0; i < 200; ++i) {
        nodes[i].key = (int16_t)next_random(&seed);
        nodes[i].data = (uint16_t)i;
        nodes[i].next = i + 1 < 200 ? &nodes[i + 1] : NULL;
    }
    uint32_t sum = 0;
    for (struct Node* node = sort_list(nodes); node != NULL; node = node->next)
        sum = mix(sum, (uint32_t)node->key << 16 | node->data);
    return sum;
}

static uint32_t matrices(uint32_t seed) {
    static int16_t a[24][24], b[24][24];
    static int32_t c[24][24];
    for (unsigned i = 0; i < 24; ++i) {
        for (unsigned j = 0; j < 24; ++j) {
            a[i][j] = (int16_t)next_random(&seed);
            b[i][j] = (int16_t)next_random(&seed);
        }
    }
    for (unsigned i = 0; i < 24; ++i) {
        for (unsigned j = 0; j < 24; ++j) {
            int32_t sum = 0;
            for (unsigned k = 0; k < 24; ++k) sum += (a[i][k] * b[k][j]) >> 4;
            c[i][j] = sum;
        }
    }
    uint32_t sum = 0;
    for (unsigned i = 0; i < 24; ++i) {
        for (unsigned j = 0; j < 24; ++j) sum = mix(sum, (uint32_t)c[i][j]);
    }
    return sum;
}

enum State { kStart, kInteger, kFraction, kExponent, kInvalid, kStates };

static uint32_t words(void) {
    static const char text[] = "5012,1234,-874,+122,35.54e3,.1234500,-110.700,+0.64400,5.500e+3,T0";
    uint32_t counts[kStates] = {0};
    enum State state = kStart;
    for (unsigned round = 0; round < 40; ++round) {
        for (const char* p = text; *p != 0; ++p) {
            const char c = (char)(*p ^ (round % 7 == 3 && (p - text) % 5 == 0 ? 1 : 0));
            if (c == ',') {
                ++counts[state];
                state = kStart;
                continue;
            }
            switch (state) {
                case kStart:
                    state = c == '+' || c == '-' || (c >= '0' && c <= '9') ? kInteger
                            : c == '.'                                     ? kFraction
                                                                           : kInvalid;
                    break;
                case kInteger:
                    if (c == '.') {
                        state = kFraction;
                    } else if (c < '0' || c > '9') {
                        state = kInvalid;
                    }
                    break;
                case kFraction:
                    if (c == 'e') {
                        state = kExponent;
                    } else if (c < '0' || c > '9') {
                        state = kInvalid;
                    }
                    break;
                default:
                    break;
            }
        }
    }
    uint32_t sum = 0;
    for (unsigned i = 0; i < kStates; ++i) sum = mix(sum, counts[i]);
    return sum;
}

static uint32_t divisions(uint32_t seed) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 500; ++i) {
        const uint32_t a = next_random(&seed), b = next_random(&seed) >> (i & 31) | 1;
        const int64_t wide = (int64_t)((uint64_t)a << 32 | b);
        sum = mix(sum, a / b);
        sum = mix(sum, (uint32_t)((int32_t)a % (int32_t)b));
        sum = mix(sum, (uint32_t)(wide / (int32_t)b));
        sum = mix(sum, (uint32_t)((uint64_t)wide % 1000003u));
        sum = mix(sum, (uint32_t)(wide >> (i & 63)));
        sum = mix(sum, (uint32_t)__builtin_clz(b) + (uint32_t)__builtin_popcount(a));
    }
    return sum;
}

static int compare(const void* a, const void* b) {
    const int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static uint32_t library(uint32_t seed) {
    static int32_t numbers[300];
    static char text[1300], copy[1300];
    for (unsigned i = 0; i < 300; ++i) numbers[i] = (int32_t)next_random(&seed);
    qsort(numbers, 300, sizeof numbers[0], compare);
    for (unsigned i = 0; i < 300; ++i) snprintf(text + 4 * i, 5, "%04lx", numbers[i] & 0xFFFFL);
    memcpy(copy + 3, text, 1200);
    memmove(copy + 7, copy + 3, 1190);
    uint32_t sum = (uint32_t)strlen(text) + (uint32_t)memcmp(text, copy + 3, 9);
    for (unsigned i = 0; i < 1200; ++i) sum = mix(sum, (uint8_t)copy[i]);
    return mix(sum, (uint32_t)(strstr(text, "7f") - text));
}

int program(void) {
    for (uint32_t seed = 1; seed < 6; ++seed) {
        printf("%lu: %08lx %08lx %08lx %08lx\n", (unsigned long)seed, (unsigned long)lists(seed),
               (unsigned long)matrices(seed), (unsigned long)divisions(seed),
               (unsigned long)library(seed));
    }
    printf("words %08lx\n", (unsigned long)words());
    return 0;
}
