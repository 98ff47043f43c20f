import type { RealtimeStatus } from '@boathouse/client/realtime-client'
import { useCallback, useSyncExternalStore } from 'react'
import { t } from '../../i18n/texts.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { StateDot } from '../../ui/index.ts'
import type { Tone } from '../../ui/index.ts'

const TONES: Readonly<Record<RealtimeStatus, Tone>> = {
  open: 'ok',
  connecting: 'warn',
  waiting: 'warn',
  closed: 'neutral',
}

export function ChannelStatus() {
  const client = useRealtime()
  const subscribe = useCallback((changed: () => void) => client.on('status', changed), [client])
  const status = useSyncExternalStore(subscribe, () => client.status())
  return (
    <span role="status">
      <StateDot tone={TONES[status]} pulse={status === 'connecting' || status === 'waiting'}>
        {t(`shell.channel.${status}`)}
      </StateDot>
    </span>
  )
}
