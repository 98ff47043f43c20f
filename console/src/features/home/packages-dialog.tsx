import { type InstalledPackage, pkg } from '@boathouse/contract/pkg'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, DataTable, Dialog, Refusal, Skeleton } from '../../ui/index.ts'

const keyOf = ({ kind, name }: InstalledPackage): string => `${kind} ${name}`

function versionOf({ kind, version, isReady }: InstalledPackage): string {
  if (isReady) return version || '–'
  return kind === 'extension' ? t('home.packages.notInstalled') : t('home.packages.notReady')
}

/** Everything that is installed, with its version. */
export function PackagesDialog({ onClose }: { onClose: () => void }) {
  const { data, error } = useCall(pkg.list, {}, { silent: true })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('home.packages.title')}
      width={720}
      footer={<Button onClick={onClose}>{t('home.packages.close')}</Button>}
    >
      <Refusal text={error?.message} />
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <DataTable
          label={t('home.packages.title')}
          rows={data.packages}
          rowKey={keyOf}
          columns={[
            { key: 'name', header: t('home.packages.name'), cell: ({ name }) => name },
            {
              key: 'kind',
              header: t('home.packages.kind'),
              cell: ({ kind }) => t(`home.packages.kinds.${kind}`),
            },
            { key: 'version', header: t('home.packages.version'), cell: versionOf },
            { key: 'detail', header: t('home.packages.detail'), cell: ({ detail }) => detail },
          ]}
        />
      )}
    </Dialog>
  )
}
