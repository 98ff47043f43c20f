import { type ApiKey, key as keyCalls } from '@boathouse/contract/key'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import { FormDialog, Select } from '../../ui/index.ts'
import type { MadeKey } from './shown-secret.tsx'

/** Hours. */
const OVERLAPS = ['0', '1', '24', '72', '168'] as const

interface Props {
  readonly of: ApiKey
  readonly named: { readonly user?: string }
  readonly onMade: (made: MadeKey) => void
  readonly onClose: () => void
}

export function RotateKey({ of: { keyId, name }, named, onMade, onClose }: Props) {
  const [overlap, setOverlap] = useState<string>('24')
  const rotate = useAction(keyCalls.rotate, { silent: true, refreshes: [keyCalls.list] })
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      onMade(await rotate.mutateAsync({ ...named, keyId, overlapHours: Number(overlap) }))
      return true
    },
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t('keys.rotation.title', { name })}
      confirmLabel={t('keys.rotation.submit')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{t('keys.rotation.body')}</p>
      <Select
        label={t('keys.rotation.overlap')}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, label: t(`keys.rotation.hours${value}`) }))}
        onChange={setOverlap}
      />
      {overlap === '0' && <p>{t('keys.rotation.ends')}</p>}
    </FormDialog>
  )
}
