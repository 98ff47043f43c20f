/** Measured values belong on the terminal, whether or not a test depends on them. */
export const tellFigure = (text: string): void => void process.stdout.write(`    ${text}\n`)

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
