import {
  AwsAccountId,
  type ConnectionType,
  EndpointRegion,
  VpcEndpointId,
  vpce,
  VPCE_MESSAGES,
} from '@boathouse/contract/vpce'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { ruleOf } from '../../../lib/form.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { FormDialog, NameField, notify, type Problems, Select, useProblems } from '../../../ui/index.ts'

interface Props {
  /** Of the account. */
  readonly region: string
  /** For which the endpoint is created in the cloud; null: nothing is. */
  readonly serviceName: string | null
  readonly onClose: () => void
}

type FieldName = 'endpointId' | 'awsAccountId' | 'region'

/** What the service would say. */
function problemsOf(draft: Readonly<Record<FieldName, string>>, own: string): Problems {
  const region = draft.region.trim()
  return {
    endpointId: ruleOf(VpcEndpointId)(draft.endpointId, undefined),
    awsAccountId: ruleOf(AwsAccountId)(draft.awsAccountId, undefined),
    region:
      ruleOf(EndpointRegion)(region, undefined) ??
      (region === own ? undefined : VPCE_MESSAGES.otherRegion(own, region)),
  }
}

export function AddEndpoint({ region, serviceName, onClose }: Props) {
  const [draft, setDraft] = useState({ endpointId: '', awsAccountId: '', region: '' })
  const [connectionType, setType] = useState<ConnectionType>('sql')
  const create = useAction(vpce.create, { silent: true, refreshes: [vpce.list] })
  const problems = useProblems(problemsOf(draft, region))
  const send = async (): Promise<boolean> => {
    if (!problems.accept()) return false
    const sent = {
      endpointId: draft.endpointId.trim(),
      awsAccountId: draft.awsAccountId.trim(),
      region: draft.region.trim(),
      connectionType,
    }
    await create.mutateAsync(sent)
    notify({ tone: 'ok', message: t('privateLink.form.done', { endpoint: sent.endpointId }) })
    return true
  }
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm: send, onDone: onClose })
  const field = (name: FieldName) => ({
    ...problems.of(name),
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  return (
    <FormDialog
      title={t('privateLink.form.title')}
      confirmLabel={t('privateLink.form.submit')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      {serviceName !== null && <p>{t('privateLink.form.service', { service: serviceName })}</p>}
      <NameField
        {...field('endpointId')}
        data-autofocus
        label={t('privateLink.form.endpoint')}
        help={t('privateLink.form.endpointHelp')}
      />
      <NameField
        {...field('awsAccountId')}
        inputMode="numeric"
        label={t('privateLink.form.awsAccount')}
        help={t('privateLink.form.awsAccountHelp')}
      />
      <NameField
        {...field('region')}
        label={t('privateLink.form.region')}
        help={t('privateLink.form.regionHelp', { region })}
      />
      <Select
        label={t('privateLink.form.type')}
        value={connectionType}
        options={(['sql', 'streaming'] as const).map((value) => ({
          value,
          label: t(`privateLink.type.${value}`),
        }))}
        onChange={(value) => setType(value === 'sql' ? 'sql' : 'streaming')}
      />
    </FormDialog>
  )
}
