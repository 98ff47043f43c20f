import { Socket } from 'node:net'

/** Where the pipe for files that lie outside stands among those that a host is started with. */
export const OUTSIDE_PIPE = 4

/** This process's end of it. */
export const outsidePipe = (): Socket => new Socket({ fd: OUTSIDE_PIPE, readable: true, writable: true })
