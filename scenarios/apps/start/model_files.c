/* SPDX-License-Identifier: Apache-2.0 */
/* Relocatable models as arrays of an application. APP_MODELS is the folder with the core's models,
 * as a string. */

#define MODEL_FILE(name, file)                                                           \
    __asm__(".pushsection .rodata." #name ",\"a\",%progbits\n.balign 32\n.global " #name \
            "\n" #name ":\n.incbin \"" APP_MODELS "/" file "\"\n.popsection\n")

MODEL_FILE(dense_file, "dense/" APP_CORE "-crc/network_rel.bin");
/* Of tools 7.2, which have a shorter report. */
MODEL_FILE(dense_72_file, "dense/" APP_CORE "-7.2/network_rel.bin");
MODEL_FILE(conv_file, "conv/" APP_CORE "-crc/network_rel.bin");
MODEL_FILE(conv_data_file, "conv/" APP_CORE "-crc/network_data.bin");
MODEL_FILE(buffers_file, "buffers/" APP_CORE "-crc/network_rel.bin");
MODEL_FILE(buffers_data_file, "buffers/" APP_CORE "-crc/network_data.bin");
