import { type Tile, TILE_KINDS } from '@boathouse/contract/dashboard'
import { CHART_KINDS, type ChartSettings } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { useMemo, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ChartSettingsPanel } from '../../statement/chart/chart-settings.tsx'
import {
  CodeArea,
  FormDialog,
  NameField,
  Segmented,
  TextArea,
  TextField,
  useProblems,
} from '../../ui/index.ts'
import { chartRowsOf, settingsOf, type TileRows } from './tile-content.tsx'
import styles from './dashboard.module.css'

interface Props {
  readonly tile: Tile
  readonly isNew: boolean
  /** Of its text as it is saved; undefined: there are none yet. */
  readonly rows: TileRows | undefined
  readonly onApply: (tile: Tile) => void
  readonly onClose: () => void
}

/** What a tile shows, and how. */
export function TileDialog({ tile, isNew, rows, onApply, onClose }: Props) {
  const [draft, setDraft] = useState(tile)
  const { kind, sql, text } = draft
  const isText = kind === 'text'
  const change = (next: Partial<Tile>) => setDraft({ ...draft, ...next })
  const problems = useProblems({
    sql: !isText && sql.trim() === '' ? t('dashboards.edit.sqlMissing') : undefined,
    text: isText && text.trim() === '' ? t('dashboards.edit.textMissing') : undefined,
  })
  const apply = async () => {
    if (!problems.accept()) return
    onApply(isText ? { ...draft, sql: '', chart: null } : { ...draft, text: '' })
    onClose()
  }
  return (
    <FormDialog
      title={t(isNew ? 'dashboards.edit.newTile' : 'dashboards.edit.editTile')}
      confirmLabel={t(isNew ? 'dashboards.edit.addTile' : 'dashboards.edit.keep')}
      width={620}
      isWorking={false}
      refusal={undefined}
      onSubmit={apply}
      onClose={onClose}
    >
      <Segmented
        label={t('dashboards.edit.kind')}
        value={kind}
        segments={TILE_KINDS.map((value) => ({ value, label: t(`dashboards.edit.kinds.${value}`) }))}
        onChange={(next) => change({ kind: next })}
      />
      <TextField
        label={t('dashboards.edit.title')}
        autoComplete="off"
        maxLength={LIMITS.tileTitleLength}
        value={draft.title}
        onChange={({ target }) => change({ title: target.value })}
      />
      {isText ? (
        <TextArea
          {...problems.of('text')}
          label={t('dashboards.edit.text')}
          rows={6}
          maxLength={LIMITS.tileTextLength}
          value={text}
          onChange={({ target }) => change({ text: target.value })}
        />
      ) : (
        <Query draft={draft} problem={problems.of('sql')} onChange={change} />
      )}
      {rows && (kind === 'chart' || kind === 'number') && sql === tile.sql && (
        <Looks draft={draft} rows={rows} onChange={(chart) => change({ chart })} />
      )}
    </FormDialog>
  )
}

interface QueryProps {
  readonly draft: Tile
  readonly problem: ReturnType<ReturnType<typeof useProblems>['of']>
  readonly onChange: (change: Partial<Tile>) => void
}

function Query({ draft: { sql, catalog, database }, problem, onChange }: QueryProps) {
  return (
    <>
      <CodeArea
        {...problem}
        label={t('dashboards.edit.sql')}
        help={t('dashboards.edit.sqlHelp')}
        rows={8}
        maxLength={LIMITS.tileSqlLength}
        value={sql}
        onChange={({ target }) => onChange({ sql: target.value })}
      />
      <div className={styles['pair']}>
        <NameField
          label={t('dashboards.edit.catalog')}
          value={catalog}
          onChange={({ target }) => onChange({ catalog: target.value })}
        />
        <NameField
          label={t('dashboards.edit.database')}
          value={database}
          onChange={({ target }) => onChange({ database: target.value })}
        />
      </div>
    </>
  )
}

interface LooksProps {
  readonly draft: Tile
  readonly rows: TileRows
  readonly onChange: (chart: ChartSettings) => void
}

function Looks({ draft, rows, onChange }: LooksProps) {
  const parts = useMemo(() => chartRowsOf(rows), [rows])
  const settings = settingsOf(draft, parts)
  return (
    <>
      {draft.kind === 'chart' && (
        <Segmented
          label={t('dashboards.edit.chart')}
          value={settings.kind}
          segments={CHART_KINDS.map((value) => ({ value, label: t(`chart.kinds.${value}`) }))}
          onChange={(kind) => onChange({ ...settings, kind })}
        />
      )}
      <div className={styles['chart-settings']}>
        <ChartSettingsPanel
          settings={settings}
          columns={parts.columns}
          onChange={(next) => onChange({ ...settings, ...next })}
        />
      </div>
    </>
  )
}
