// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

struct CameraParameters {
    Parameter frame_rate{"frame_rate", 30, ParameterUnit{"Hz", {0.1, 1000}}, Confidence::Documented,
                         "public applications and camera middleware: 30 frames each second"};
    Parameter width{"width", 0, ParameterUnit{"pixels", {0, 4095, true}}, Confidence::Documented,
                    "columns that the image sensor sends; 0: all of the sensor's (public drivers: "
                    "IMX335 2592, VD66GY 1120, VD55G1 804, OV5640 2592)"};
    Parameter height{"height", 0, ParameterUnit{"pixels", {0, 4095, true}}, Confidence::Documented,
                     "lines that the image sensor sends; 0: all of the sensor's (public drivers: "
                     "IMX335 1944, VD66GY 1364, VD55G1 704, OV5640 1944)"};
    Parameter line_time{"line_time", 7.41, ParameterUnit{"us", {0.1, 1000}}, Confidence::Documented,
                        "public driver of the IMX335: 4500 lines in a frame of 1/30 s; if a frame "
                        "has no room for its lines, they divide it"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.frame_rate);
        function(self.width);
        function(self.height);
        function(self.line_time);
    }
};

}  // namespace n6vp::models
