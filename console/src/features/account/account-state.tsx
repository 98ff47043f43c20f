import { LIFE_CYCLE } from '@boathouse/contract/account-state'
import { StateDot } from '../../ui/index.ts'
import type { Tone } from '../../ui/index.ts'

const TONES: Readonly<Record<(typeof LIFE_CYCLE)[number]['tone'], Tone>> = {
  grey: 'neutral',
  yellow: 'warn',
  green: 'ok',
  red: 'err',
}

/** Dot and word. */
export function AccountState({ state }: { state: number }) {
  const known = LIFE_CYCLE[state]
  return <StateDot tone={known ? TONES[known.tone] : 'neutral'}>{known?.label ?? String(state)}</StateDot>
}
