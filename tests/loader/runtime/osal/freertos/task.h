/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INC_TASK_H
#define INC_TASK_H

#define portYIELD_FROM_ISR(woken) fake_yield((woken) != pdFALSE)

#endif
