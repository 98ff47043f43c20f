import { schema } from '@boathouse/contract/schema'
import { SAMPLE_DATABASE } from '@boathouse/contract/schema-places'
import { t } from '../../i18n/texts.ts'
import { notify } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useChange } from './use-live-schema.ts'

interface Props {
  /** Whether what is there is replaced. */
  readonly replaces: boolean
  readonly onClose: () => void
}

export function RestoreSamples({ replaces, onClose }: Props) {
  const restore = useChange(schema.restoreSamples)
  const confirm = async () => {
    await restore.mutateAsync({})
    notify({ tone: 'ok', message: t('catalog.samples.done') })
    return true
  }
  return (
    <CatalogDialog
      title={t('catalog.samples.title')}
      confirmLabel={t('catalog.samples.action')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {t(replaces ? 'catalog.samples.replaces' : 'catalog.samples.makes', { database: SAMPLE_DATABASE })}
      </p>
    </CatalogDialog>
  )
}
