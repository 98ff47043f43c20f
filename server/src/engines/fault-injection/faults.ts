/** By which a test makes happen what it wants to see handled. */
export interface Faults {
  /** Every open engine ends at once, as if its process had been killed. */
  crash(reason: string): void
  /** From now on statements start and go no further, until `release`. */
  hold(): void
  release(): void
  /** How many are held in engines that run. */
  heldStatements(): number
  /** The next `open` is refused. */
  failNextOpen(message: string): void
}

export interface Gate {
  /** Resolves while the gate is open, or as soon as it is. */
  passed(): Promise<void>
}

export function createGate(): Gate & { shut(): void; open(): void } {
  let passed: Promise<void> = Promise.resolve()
  let open: (() => void) | undefined
  return {
    passed: () => passed,
    shut() {
      open?.()
      passed = new Promise((resolve) => (open = resolve))
    },
    open: () => open?.(),
  }
}
