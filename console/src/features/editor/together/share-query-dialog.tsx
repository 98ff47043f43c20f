import '../../../i18n/together.ts'
import { editor } from '@boathouse/contract/editor'
import {
  type Share,
  SHARE_LEVELS,
  type SharedObject,
  type ShareLevel,
  type SharePartner,
} from '@boathouse/contract/editor-shares'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  IconButton,
  Refusal,
  Select,
  Spinner,
} from '../../../ui/index.ts'
import { IconX } from '../icons.ts'
import type { DialogProps } from '../tabs/query-dialogs.tsx'
import styles from './together.module.css'

const LONGEST_SEARCH = 64

const keyOf = ({ kind, name }: SharePartner): string => `${kind}:${name}`
const hintOf = ({ kind, name }: SharePartner): string =>
  kind === 'role' && name === 'public' ? t('together.share.everyone') : t(`together.share.${kind}`)
const levelOptions = () =>
  SHARE_LEVELS.map((level) => ({ value: level, label: t(`together.share.levels.${level}`) }))
const isLevel = (value: string): value is ShareLevel => (SHARE_LEVELS as readonly string[]).includes(value)

/** Who else has access to a saved query, or to a folder with all that is in it. */
export function ShareQueryDialog({ asked, open, onClose }: DialogProps) {
  const of: SharedObject = { kind: asked.kind === 'shareFolder' ? 'folder' : 'query', id: asked.id }
  const shares = useCall(editor.shares, { of }, { staleTime: 0 })
  const changes = { silent: true, refreshes: [editor.shares, editor.listTabTree] }
  const share = useAction(editor.share, changes)
  const unshare = useAction(editor.unshare, changes)
  const list = shares.data?.list ?? []
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('together.share.title', { name: asked.name })}
      width={600}
      footer={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <p className={styles['about']}>
        {t(of.kind === 'folder' ? 'together.share.aboutFolder' : 'together.share.aboutQuery')}{' '}
        {t('together.share.honest')}
      </p>
      <AddShare
        isWorking={share.isPending}
        onShare={(partner, level) => share.mutateAsync({ of, partner, level })}
      />
      <Refusal text={(share.error ?? unshare.error)?.message} />
      {shares.isPending && <Spinner label={t('together.share.loading')} />}
      {shares.isError && (
        <ErrorState
          title={t('together.share.failed')}
          what={shares.error.message}
          onRetry={() => void shares.refetch()}
        />
      )}
      {shares.data && list.length === 0 && (
        <EmptyState title={t('together.share.none')}>
          <p>{t('together.share.noneWhy')}</p>
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={styles['list']} aria-label={t('together.share.list')}>
          {list.map((one) => (
            <ShareRow
              key={`${keyOf(one.partner)} ${one.folderName}`}
              share={one}
              onChange={(level) => share.mutate({ of, partner: one.partner, level })}
              onRemove={() => unshare.mutate({ of, partner: one.partner })}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface AddProps {
  readonly isWorking: boolean
  readonly onShare: (partner: SharePartner, level: ShareLevel) => Promise<unknown>
}

/** Nothing is chosen before the user does. */
function AddShare({ isWorking, onShare }: AddProps) {
  const [text, setText] = useState('')
  const [partner, setPartner] = useState<SharePartner | null>(null)
  const [level, setLevel] = useState<ShareLevel | null>(null)
  const settled = useSettled(text)
  const { data, isFetching } = useCall(
    editor.sharePartners,
    { search: settled.slice(0, LONGEST_SEARCH) },
    { silent: true, placeholderData: (before) => before },
  )
  const found = data?.list ?? []
  const known = partner && !found.some((one) => keyOf(one) === keyOf(partner)) ? [partner, ...found] : found
  const add = async () => {
    if (!partner || !level) return
    try {
      await onShare(partner, level)
    } catch {
      // The dialog shows why, and what was chosen stays.
      return
    }
    setPartner(null)
    setLevel(null)
  }
  return (
    <div className={styles['add']}>
      <Select
        label={t('together.share.partner')}
        value={partner && keyOf(partner)}
        searchable
        onSearch={setText}
        isSearching={isFetching || settled !== text}
        placeholder={t('together.share.searchPartner')}
        width="100%"
        options={known.map((one) => ({ value: keyOf(one), label: one.name, hint: hintOf(one) }))}
        onChange={(key) => setPartner(known.find((one) => keyOf(one) === key) ?? null)}
      />
      <Select
        label={t('together.share.level')}
        value={level}
        placeholder={t('together.share.chooseLevel')}
        width="100%"
        options={levelOptions()}
        onChange={(value) => isLevel(value) && setLevel(value)}
      />
      <Button variant="primary" disabled={!partner || !level} loading={isWorking} onClick={() => void add()}>
        {t('together.share.add')}
      </Button>
    </div>
  )
}

interface RowProps {
  readonly share: Share
  readonly onChange: (level: ShareLevel) => void
  readonly onRemove: () => void
}

/** What a folder brings is changed at the folder. */
function ShareRow({ share: { partner, level, folderName }, onChange, onRemove }: RowProps) {
  const { name } = partner
  return (
    <li className={styles['share']}>
      <span className={styles['partner']} title={name}>
        {name} <span className={styles['kind']}>{hintOf(partner)}</span>
      </span>
      {folderName === '' ? (
        <>
          <Select
            label={t('together.share.levelOf', { name })}
            hideLabel
            value={level}
            width="100%"
            options={levelOptions()}
            onChange={(value) => isLevel(value) && onChange(value)}
          />
          <IconButton size="sm" label={t('together.share.remove', { name })} onClick={onRemove}>
            <IconX size={14} aria-hidden />
          </IconButton>
        </>
      ) : (
        <span className={styles['kind']}>
          {t(`together.share.levels.${level}`)}, {t('together.share.byFolder', { folder: folderName })}
        </span>
      )}
    </li>
  )
}
