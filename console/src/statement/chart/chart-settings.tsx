import {
  CHART_AGGREGATES,
  CHART_FORMATS,
  CHART_GRAINS,
  CHART_ORDERS,
  CHART_OVERLAYS,
  CHART_STACKS,
  type ChartSettings,
} from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../i18n/texts.ts'
import { Select } from '../../ui/index.ts'
import type { ChartColumn } from './chart-columns.ts'
import styles from './chart.module.css'

interface Props {
  readonly settings: ChartSettings
  readonly columns: readonly ChartColumn[]
  readonly onChange: (change: Partial<ChartSettings>) => void
}

const NONE = ''
const TOPS = [0, 5, 10, 25, LIMITS.chartTop] as const
const DIRECTIONS = ['vertical', 'horizontal'] as const

/** What is drawn, and how: everything but the type of the chart. */
export function ChartSettingsPanel({ settings, columns, onChange }: Props) {
  const { kind, x } = settings
  const isTime = columns.some(({ name, family }) => name === x && family === 'temporal')
  const isJoined = kind === 'bar' || kind === 'line' || kind === 'area'
  const isStacking = (kind === 'bar' || kind === 'area') && (settings.by !== NONE || settings.y.length > 1)
  return (
    <aside className={styles['settings']} aria-label={t('chart.settings')}>
      {kind !== 'number' && (
        <Select
          label={t('chart.x')}
          searchable
          options={columns.map(({ name }) => ({ value: name, label: name }))}
          value={x}
          onChange={(next) => onChange({ x: next })}
        />
      )}
      {isTime && isJoined && (
        <Choice
          label={t('chart.grain')}
          values={CHART_GRAINS}
          nameOf={(value) => t(`chart.grains.${value}`)}
          value={settings.grain}
          onChange={(grain) =>
            onChange({
              grain,
              ...(grain !== 'none' && settings.aggregate === 'none' && { aggregate: 'sum' }),
            })
          }
        />
      )}
      <Values settings={settings} columns={columns} onChange={onChange} />
      {isJoined && <Grouping settings={settings} columns={columns} onChange={onChange} />}
      {isStacking && (
        <Choice
          label={t('chart.stack')}
          values={CHART_STACKS}
          nameOf={(value) => t(`chart.stacks.${value}`)}
          value={settings.stack}
          onChange={(stack) => onChange({ stack })}
        />
      )}
      {kind === 'bar' && <OfBars settings={settings} onChange={onChange} />}
      {kind !== 'number' && (
        <Choice
          label={t('chart.format')}
          values={CHART_FORMATS}
          nameOf={(value) => t(`chart.formats.${value}`)}
          value={settings.format}
          onChange={(format) => onChange({ format })}
        />
      )}
    </aside>
  )
}

interface ChoiceProps<V extends string> {
  readonly label: string
  readonly values: readonly V[]
  readonly nameOf: (value: V) => string
  readonly value: V
  readonly onChange: (value: V) => void
}

function Choice<V extends string>({ label, values, nameOf, value, onChange }: ChoiceProps<V>) {
  return (
    <Select
      label={label}
      options={values.map((one) => ({ value: one, label: nameOf(one) }))}
      value={value}
      onChange={(next) => {
        const chosen = values.find((one) => one === next)
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}

/** The columns that are drawn. */
function Values({ settings, columns, onChange }: Props) {
  const { kind, y, by, aggregate } = settings
  if (aggregate === 'count' && kind !== 'number' && kind !== 'scatter') return null
  const numbers = columns
    .filter(({ family }) => family === 'number')
    .map(({ name }) => ({ value: name, label: name }))
  const choose = (at: number, name: string) =>
    onChange({ y: (name === NONE ? y.filter((_, own) => own !== at) : y.with(at, name)).filter(Boolean) })
  const isSingle = kind === 'number' || (by !== NONE && kind !== 'scatter')
  const shown = isSingle ? y.slice(0, 1) : y
  const isFull = y.length >= Math.min(LIMITS.chartSeries, numbers.length)
  return (
    <>
      {shown.map((name, at) => (
        <Select
          key={at}
          label={t('chart.y', { number: at + 1 })}
          searchable
          options={shown.length > 1 ? [{ value: NONE, label: t('chart.none') }, ...numbers] : numbers}
          value={name}
          onChange={(next) => choose(at, next)}
        />
      ))}
      {!isSingle && !isFull && (
        <Select
          key={y.length}
          label={t('chart.add')}
          searchable
          placeholder={t('chart.choose')}
          options={numbers.filter(({ value }) => !y.includes(value))}
          value={null}
          onChange={(name) => onChange({ y: [...new Set([...y, name])] })}
        />
      )}
    </>
  )
}

function Grouping({ settings, columns, onChange }: Props) {
  const { x, by, aggregate } = settings
  const others = columns.filter(({ name }) => name !== x).map(({ name }) => ({ value: name, label: name }))
  return (
    <>
      <Select
        label={t('chart.by')}
        searchable
        options={[{ value: NONE, label: t('chart.none') }, ...others]}
        value={by}
        onChange={(next) => onChange({ by: next })}
      />
      <Choice
        label={t('chart.aggregate')}
        values={CHART_AGGREGATES}
        nameOf={(value) => t(`chart.aggregates.${value}`)}
        value={aggregate}
        onChange={(next) => onChange({ aggregate: next })}
      />
    </>
  )
}

function OfBars({ settings, onChange }: Omit<Props, 'columns'>) {
  const canOverlay = settings.y.length > 1 && settings.by === NONE && !settings.isHorizontal
  return (
    <>
      {canOverlay && settings.aggregate !== 'count' && (
        <Choice
          label={t('chart.overlay')}
          values={CHART_OVERLAYS}
          nameOf={(value) => t(`chart.overlays.${value}`)}
          value={settings.overlay}
          onChange={(overlay) => onChange({ overlay })}
        />
      )}
      <Choice
        label={t('chart.direction')}
        values={DIRECTIONS}
        nameOf={(value) => t(`chart.directions.${value}`)}
        value={settings.isHorizontal ? 'horizontal' : 'vertical'}
        onChange={(next) => onChange({ isHorizontal: next === 'horizontal' })}
      />
      <Choice
        label={t('chart.order')}
        values={CHART_ORDERS}
        nameOf={(value) => t(`chart.orders.${value}`)}
        value={settings.order}
        onChange={(order) => onChange({ order })}
      />
      <Choice
        label={t('chart.top')}
        values={TOPS.map(String)}
        nameOf={(value) => (value === '0' ? t('chart.all') : t('chart.topOf', { count: Number(value) }))}
        value={String(settings.top)}
        onChange={(top) => onChange({ top: Number(top) })}
      />
    </>
  )
}
