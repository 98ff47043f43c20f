import { type Pipe, pipe } from '@boathouse/contract/pipe'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { FormDialog, notify, useProblems } from '../../../ui/index.ts'
import { propertiesOf, settingsProblems } from './pipe-draft.ts'
import { SettingsFields } from './settings-fields.tsx'
import { SHOWN_OF_PIPES } from './use-live-pipes.ts'

/** Properties of a pipe that is there. */
export function ChangePipe({ of, onClose }: { readonly of: Pipe; readonly onClose: () => void }) {
  const { pipeId, name, properties } = of
  const [settings, setSettings] = useState({
    interval: properties['poll_interval'] ?? '',
    onError: properties['on_error'] ?? '',
    ratio: properties['max_filter_ratio'] ?? '',
  })
  const change = useAction(pipe.changePipe, { silent: true, refreshes: SHOWN_OF_PIPES })
  const problems = useProblems(settingsProblems(settings))
  const send = async (): Promise<boolean> => {
    if (!problems.accept()) return false
    await change.mutateAsync({ pipeId, properties: propertiesOf(settings) })
    notify({ tone: 'ok', message: t('pipe.form.changed', { name }) })
    return true
  }
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm: send, onDone: onClose })
  return (
    <FormDialog
      title={t('pipe.form.changeTitle', { name })}
      confirmLabel={t('pipe.form.save')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <SettingsFields settings={settings} problems={problems} onChange={setSettings} />
    </FormDialog>
  )
}
