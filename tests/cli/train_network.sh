#!/bin/bash
# train on several machines, which are network namespaces here: they connect, and send as many bytes as awend.7 promises.
#
# The number of ranks, one for each machine, and options of train may be given: tests/bench/RESULTS.md has larger networks and models.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
read -ra counts <<< "${1:-2 4}"
shift $(($# > 0))

train --version | grep -qx 'MPI: none' && { skip 'training on several machines, because this build has no MPI'; exit; }

# A switch, with a cable to each machine.  A machine has a host name of its own; ranks with the same would share memory.
prefix=awend$$
most=$(printf '%s\n' "${counts[@]}" | sort -n | tail -n 1)
clean_up() {
  local machine
  for machine in switch $(seq "$most"); do ip netns delete "$prefix-$machine" 2> /dev/null; done
}
inside() { ip netns exec "$prefix-$1" "${@:2}"; }
if ! { command -v ip && ip netns add $prefix-switch && inside switch ip link add hub type bridge; } > /dev/null 2>&1; then
  skip 'training on several machines, because network namespaces and bridges cannot be made'
  exit
fi
inside switch ip link set hub up
for machine in $(seq "$most"); do
  ip netns add "$prefix-$machine"
  inside switch ip link add "cable$machine" type veth peer name eth0 netns "$prefix-$machine"
  inside switch ip link set "cable$machine" master hub up
  inside "$machine" ip address add "10.77.0.$machine/24" dev eth0
  inside "$machine" ip link set eth0 up
  inside "$machine" ip link set lo up
done

# What mpirun runs instead of ssh.
cat > agent << END
#!/bin/sh
machine=\${1##*.}
shift
exec ip netns exec $prefix-\$machine unshare --uts sh -c "hostname node\$machine; \$*"
END
chmod +x agent
prepare_mpi
export OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 OMPI_MCA_plm_rsh_agent=$PWD/agent PRTE_MCA_plm_ssh_agent=$PWD/agent

# ranks N OPTION...: a rank on each of N machines, started from the first.
ranks() {
  local hosts
  hosts=$(seq -f 10.77.0.%g -s , "$1")
  inside 1 unshare --uts sh -c 'hostname node1; exec "$@"' - mpirun --map-by node -np "$1" --host "$hosts" train "${texts[@]}" "${@:2}"
}

# sent MACHINE: the bytes that it has sent.
sent() { inside "$1" cat /sys/class/net/eth0/statistics/tx_bytes; }

locale-corpus -n 300 -o raw
build-vocab --size 400 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
texts=(-s tokens.en -t tokens.de -m vocabulary -j 1)
model=(--preset tiny "$@" --batch-tokens 512 --warmup 4 --adam-epsilon 1e-4 --activation gelu)
train -v "${texts[@]}" "${model[@]}" -o alone --max-steps 1 > out 2> err || fail 'one machine trains'
parameters=$(sed -n 's/^train: \([0-9]*\) parameters,.*/\1/p' err)

updates=8
printf '%s parameters\nranks  bytes of an update, of one machine  2 (N - 1) / N of the gradients  ratio\n' "$parameters"
for n in "${counts[@]}"; do
  # The start, the check of the weights and the end do not count: they are those of a run of two updates.
  for steps in 2 $((2 + updates)); do
    before=$(sent 2)
    # MPI's launcher may warn of process groups, so stderr may not be empty.
    ranks "$n" "${model[@]}" -o "by-$n-$steps" --max-steps "$steps" > out 2> err || { fail "$n machines train"; cat err >&2; }
    after=$(sent 2)
    bytes[steps]=$((after - before))
  done
  each=$(((bytes[2 + updates] - bytes[2]) / updates))
  theory=$((4 * parameters * 2 * (n - 1) / n))
  ratio=$(awk -v a=$each -v b=$theory 'BEGIN { printf "%.3f", a / b }')
  printf '%5d  %35d  %32d  %s\n' "$n" "$each" $theory "$ratio"
  # Headers of packets, their acknowledgements and the losses are a few per cent.
  awk -v ratio="$ratio" 'BEGIN { exit !(ratio > 0.99 && ratio < 1.1) }' || fail "$n machines send $ratio times the least number of bytes"
done

# The network changes nothing.
n=${counts[0]}
export OMPI_MCA_btl=^tcp
expect 0 mpirun -np "$n" train "${texts[@]}" "${model[@]}" -o near --max-steps 2
cmp near/model-00000002.safetensors "by-$n-2/model-00000002.safetensors" || fail 'the same bytes as on one machine'
