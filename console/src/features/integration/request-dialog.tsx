import { ApplicationName, integration, RequestLink, RequestText } from '@boathouse/contract/integration'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import { FormDialog, NameField, notify, TextArea, useProblems } from '../../ui/index.ts'

const EMPTY = { applicationName: '', useCase: '', link: '' }

export function RequestDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY)
  const request = useAction(integration.request, { silent: true, refreshes: [integration.ownRequests] })
  const problems = useProblems({
    applicationName: ruleOf(ApplicationName)(draft.applicationName, undefined),
    useCase: ruleOf(RequestText)(draft.useCase, undefined),
    link: ruleOf(RequestLink)(draft.link, undefined),
  })
  const send = async (): Promise<boolean> => {
    if (!problems.accept()) return false
    await request.mutateAsync(draft)
    notify({ tone: 'ok', message: t('integration.request.done', { name: draft.applicationName.trim() }) })
    return true
  }
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm: send, onDone: onClose })
  const field = (name: keyof typeof EMPTY) => ({
    ...problems.of(name),
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  return (
    <FormDialog
      title={t('integration.request.title')}
      confirmLabel={t('integration.request.submit')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{t('integration.request.lead')}</p>
      <NameField {...field('applicationName')} data-autofocus label={t('integration.request.name')} />
      <TextArea
        {...field('useCase')}
        rows={4}
        label={t('integration.request.useCase')}
        help={t('integration.request.useCaseHelp')}
      />
      <NameField
        {...field('link')}
        inputMode="url"
        label={t('integration.request.link')}
        help={t('integration.request.linkHelp')}
      />
    </FormDialog>
  )
}
