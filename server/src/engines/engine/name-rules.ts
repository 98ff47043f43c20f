/**
 * What an engine knows of names before a statement reaches it. Plain data: another thread reads large texts by it. A name
 * that merely looks like one of these is no reason for anything.
 */
export interface NameRules {
  /** Functions that no statement may call, by their names in small letters, and why not. */
  readonly refusedCalls: ReadonlyMap<string, string>
  /** What no statement may name, however it is used, and why not. */
  readonly refusedNames: readonly (readonly [name: RegExp, why: string])[]
  /** Functions by which a statement that reads leaves a trace, as the next number of a sequence, in small letters. */
  readonly drawingCalls: ReadonlySet<string>
}

export const NO_NAME_RULES: NameRules = {
  refusedCalls: new Map(),
  refusedNames: [],
  drawingCalls: new Set(),
}

/** Why a statement may not have this name in it; null when it may. */
export const whyRefused = (
  { refusedCalls, refusedNames }: NameRules,
  name: string,
  isCalled: boolean,
): string | null =>
  refusedNames.find(([pattern]) => pattern.test(name))?.[1] ??
  (isCalled ? (refusedCalls.get(name.toLowerCase()) ?? null) : null)
