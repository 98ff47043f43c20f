import { vpce } from '@boathouse/contract/vpce'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { FormDialog, notify } from '../../../ui/index.ts'

interface Props {
  readonly endpointId: string
  readonly onClose: () => void
}

export function RemoveEndpoint({ endpointId, onClose }: Props) {
  const remove = useAction(vpce.delete, { silent: true, refreshes: [vpce.list] })
  const send = async (): Promise<boolean> => {
    await remove.mutateAsync({ endpointId })
    notify({ tone: 'ok', message: t('privateLink.remove.done', { endpoint: endpointId }) })
    return true
  }
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm: send, onDone: onClose })
  return (
    <FormDialog
      danger
      title={t('privateLink.remove.title')}
      confirmLabel={t('privateLink.remove.confirm')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{t('privateLink.remove.body', { endpoint: endpointId })}</p>
    </FormDialog>
  )
}
