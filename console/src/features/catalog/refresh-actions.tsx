import { schema } from '@boathouse/contract/schema'
import type { ObjectAction } from '@boathouse/contract/schema-objects'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '../../ui/icons.ts'
import { Button, notify } from '../../ui/index.ts'
import { isUnderWay, viewOf } from './refreshes.ts'
import type { ThisObject } from './this-object.ts'
import { useChange } from './use-live-schema.ts'

interface Props {
  readonly of: ThisObject
  readonly actions: readonly ObjectAction[]
}

const showsError = { onError: ({ message }: Error) => notify({ tone: 'err', message }) }

const needs = (privilege: string, may: boolean) =>
  may ? {} : { title: t('catalog.materialized.mayNot', { privilege }) }

/** Refresh now, and pause or resume the automatic refreshes. */
export function RefreshActions({ of, actions }: Props) {
  const { data } = useCall(schema.materializedView, viewOf(of), { silent: true })
  const refresh = useChange(schema.refreshMaterializedView)
  const pause = useChange(schema.pauseMaterializedView)
  if (!data) return null
  const [mayRefresh, mayAlter] = [actions.includes('refresh'), actions.includes('alter')]
  return (
    <>
      {data.trigger !== 'manual' && (
        <Button
          leftIcon={
            data.paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
          }
          disabled={!mayAlter}
          {...needs('ALTER', mayAlter)}
          loading={pause.isPending}
          onClick={() => pause.mutate({ ...viewOf(of), paused: !data.paused }, showsError)}
        >
          {data.paused ? t('catalog.materialized.resume') : t('catalog.materialized.pause')}
        </Button>
      )}
      <Button
        leftIcon={<IconRefresh size={16} aria-hidden />}
        disabled={!mayRefresh || isUnderWay(data.lastRun)}
        {...needs('REFRESH', mayRefresh)}
        loading={refresh.isPending}
        onClick={() =>
          refresh.mutate(viewOf(of), {
            ...showsError,
            onSuccess: () => notify({ tone: 'ok', message: t('catalog.materialized.started') }),
          })
        }
      >
        {t('catalog.materialized.refreshNow')}
      </Button>
    </>
  )
}
