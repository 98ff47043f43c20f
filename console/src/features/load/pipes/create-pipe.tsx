import { pipe, PIPE_FORMATS, type PipeFormat } from '@boathouse/contract/pipe'
import { DEFAULT_WAREHOUSE_NAME, warehouse } from '@boathouse/contract/warehouse'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { FormDialog, NameField, notify, Refusal, Select, TextField, useProblems } from '../../../ui/index.ts'
import { TableSelect } from '../target-panel.tsx'
import {
  draftProblems,
  NEW_PIPE,
  NEW_SETTINGS,
  optionsOf,
  type PipeDraft,
  propertiesOf,
  settingsProblems,
} from './pipe-draft.ts'
import { SettingsFields } from './settings-fields.tsx'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly onClose: () => void
}

type TextName = 'name' | 'files' | 'skipped'

const SEPARATORS = [
  { value: ',', text: 'comma' },
  { value: ';', text: 'semicolon' },
  { value: '\\t', text: 'tab' },
  { value: '|', text: 'pipe' },
] as const

/** A pipe over a folder or bucket that the user may read, into a table that is there. */
export function CreatePipe({ catalog, database, onClose }: Props) {
  const [draft, setDraft] = useState<PipeDraft>(NEW_PIPE)
  const [settings, setSettings] = useState(NEW_SETTINGS)
  const { data: sources } = useCall(pipe.pipeSources, {})
  const create = useAction(pipe.createPipe, { silent: true, refreshes: [pipe.listPipes] })
  const source = draft.source || (sources?.list[0]?.path ?? '')
  const problems = useProblems({ ...draftProblems({ ...draft, source }), ...settingsProblems(settings) })
  const send = async (): Promise<boolean> => {
    if (!problems.accept()) return false
    await create.mutateAsync({
      catalog,
      databaseName: database,
      name: draft.name.trim(),
      tableName: draft.tableName,
      path: `${source}${draft.files.trim().replace(/^\/+/, '')}`,
      format: draft.format,
      options: optionsOf(draft),
      properties: {
        ...propertiesOf(settings),
        ...(draft.warehouse !== '' && { warehouse: draft.warehouse }),
      },
    })
    notify({ tone: 'ok', message: t('pipe.form.done', { name: draft.name.trim() }) })
    return true
  }
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm: send, onDone: onClose })
  const text = (name: TextName) => ({
    ...problems.of(name),
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  const hasNone = sources?.list.length === 0
  return (
    <FormDialog
      title={t('pipe.form.title')}
      confirmLabel={t('pipe.form.submit')}
      isWorking={isWorking}
      confirmDisabled={!sources || hasNone}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      {hasNone && <Refusal text={t('pipe.form.noSource')} />}
      <NameField {...text('name')} data-autofocus label={t('pipe.form.name')} maxLength={256} />
      <Select
        label={t('pipe.form.source')}
        placeholder={t('pipe.form.chooseSource')}
        error={problems.of('source').error}
        options={(sources?.list ?? []).map(({ path, catalog: hint }) => ({
          value: path,
          label: path,
          ...(hint !== null && { hint }),
        }))}
        value={source === '' ? null : source}
        onChange={(value) => setDraft({ ...draft, source: value })}
      />
      <TextField {...text('files')} mono label={t('pipe.form.path')} help={t('pipe.form.pathHelp')} />
      <TableSelect
        catalog={catalog}
        database={database}
        value={draft.tableName}
        error={problems.of('tableName').error}
        onChange={(tableName) => setDraft({ ...draft, tableName })}
      />
      <FormatFields draft={draft} skipped={text('skipped')} onChange={setDraft} />
      <WarehouseSelect value={draft.warehouse} onChange={(name) => setDraft({ ...draft, warehouse: name })} />
      <SettingsFields settings={settings} problems={problems} onChange={setSettings} />
    </FormDialog>
  )
}

interface FormatProps {
  readonly draft: PipeDraft
  readonly skipped: {
    readonly value: string
    readonly error: string | undefined
    readonly onChange: (event: { target: { value: string } }) => void
  }
  readonly onChange: (draft: PipeDraft) => void
}

/** How the files are read; their names follow the format as long as nobody has typed others. */
function FormatFields({ draft, skipped, onChange }: FormatProps) {
  const choose = (format: PipeFormat) => {
    const isOurs = draft.files === `*.${draft.format}`
    onChange({ ...draft, format, files: isOurs ? `*.${format}` : draft.files })
  }
  return (
    <>
      <Select
        label={t('pipe.form.format')}
        value={draft.format}
        options={PIPE_FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(value) => choose(PIPE_FORMATS.find((one) => one === value) ?? 'csv')}
      />
      {draft.format === 'csv' && (
        <>
          <Select
            label={t('pipe.form.separator')}
            value={draft.separator}
            options={SEPARATORS.map((one) => ({ value: one.value, label: t(`load.reading.${one.text}`) }))}
            onChange={(separator) => onChange({ ...draft, separator })}
          />
          <TextField {...skipped} label={t('pipe.form.header')} inputMode="numeric" />
        </>
      )}
    </>
  )
}

function WarehouseSelect({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { data } = useCall(warehouse.list, {})
  const names = data?.warehouses.filter(({ isUsable }) => isUsable).map(({ name }) => name) ?? []
  return (
    <Select
      label={t('pipe.form.warehouse')}
      options={names.map((name) => ({ value: name, label: name }))}
      value={value || DEFAULT_WAREHOUSE_NAME}
      onChange={onChange}
    />
  )
}
