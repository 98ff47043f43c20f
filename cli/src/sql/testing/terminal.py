"""Runs a program in a pseudo terminal: python3 terminal.py COLUMNS PROGRAM ARGUMENT…; what comes in is typed."""
import fcntl, os, pty, select, struct, sys, termios

columns, argv = int(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(argv[0], argv)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

inputs = [terminal, 0]
while terminal in inputs:
    for ready in select.select(inputs, [], [])[0]:
        try:
            data = os.read(ready, 65536)
        except OSError:  # Linux says so when the program has ended.
            data = b""
        if not data:
            inputs.remove(ready)
        elif ready == terminal:
            os.write(1, data)
        else:
            os.write(terminal, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
