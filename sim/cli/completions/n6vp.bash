# SPDX-License-Identifier: Apache-2.0
# Bash completion of n6vp: verbs, options of each verb, values of those that have few, else file names.
_n6vp() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} options=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "info check map install pack generate params run exec ecdump epoch analyze validate supported-ops --help --version" -- "$current"))
        return
    fi
    case $previous in
        --mode) COMPREPLY=($(compgen -W "xip copy" -- "$current")); return ;;
        --policy) COMPREPLY=($(compgen -W "strict compat" -- "$current")); return ;;
        --console) COMPREPLY=($(compgen -W "on off" -- "$current")); return ;;
        --sums) COMPREPLY=($(compgen -W "16 24" -- "$current")); return ;;
        --generation) COMPREPLY=($(compgen -W "2.1 2.2 3.0 4.x" -- "$current")); return ;;
        --timing) COMPREPLY=($(compgen -W "functional approx precise" -- "$current")); return ;;
        --coherence) COMPREPLY=($(compgen -W "ideal real" -- "$current")); return ;;
        --boot) COMPREPLY=($(compgen -W "ready reset" -- "$current")); return ;;
        --board) COMPREPLY=($(compgen -W "n6 an547" -- "$current")); return ;;
        --trace) COMPREPLY=($(compgen -W "insn" -- "$current")); return ;;
        --clocks) COMPREPLY=($(compgen -W "overdrive nominal 400" -- "$current")); return ;;
        --log) COMPREPLY=($(compgen -W "trace debug info warn error off" -- "$current")); return ;;
        --input) COMPREPLY=($(compgen -W "zero random" -- "$current")); return ;;
        --dump|--files|--out) COMPREPLY=($(compgen -d -- "$current")); return ;;
    esac
    case $verb in
        info) options="--help --params --json --relocs --disasm --symbols --at --params-at --exec --ext --mode" ;;
        check) options="--help --params --at --params-at --exec --ext --mode --clear --firmware --instance --grant --limit --json" ;;
        map) options="--help --mpool --all --json" ;;
        install) options="--help --params --at --params-at --exec --ext --mode --clear --firmware --instance --grant --policy --console --params-file --set --dump --force --json --quiet --log --log-file" ;;
        pack) options="--help --output --generation --pool --split --ecblob-in-params --gen-c-file --c-name --report --created-date --json" ;;
        generate) options="--help --output --generation --no-ec --weights --mpool --no-inputs-allocation --no-outputs-allocation --sums --ecblob-in-params --split --nonsecure --compiler --json --log --log-file" ;;
        ecdump) options="--help --params --blob --listing --assemble --output --json" ;;
        epoch) options="--help --timing --set --dump --json --log --log-file" ;;
        analyze) options="--help --weights --mpool --no-inputs-allocation --no-outputs-allocation --sums --no-ec --json" ;;
        validate) options="--help --tflite --valinput --valoutput --batches --range --seed --layers --min-layer-within-one --classifier --max-diff --min-within-one --min-acc --min-cos --params --mode --timing --json --log --log-file" ;;
        supported-ops) options="--help --json" ;;
        params) options="--help --params-file --set --json" ;;
        run) options="--help --in --out --input --seed --range --snapshot --expect --tolerance --repeat --overlay --mode --clear --policy --clocks --params --at --params-at --ext --elf --timing --coherence --boot --uart --quantum --max-time --max-host-time --max-quiet --max-instr --vectors --exec --files --arguments --svd --dump --symbols --junit --image --params-file --set --strict --report --csv --json --trace --trace-filter --trace-limit --trace-functions --quiet --print-config --log --log-file" ;;
        exec) options="--help --timing --board --vectors --max-instr --files --trace --set --strict --stats --json --log --log-file" ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _n6vp n6vp
