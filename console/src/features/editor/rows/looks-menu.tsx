import { t } from '../../../i18n/texts.ts'
import { IconButton, keyNames, Menu } from '../../../ui/index.ts'
import { IconDots } from '../icons.ts'
import type { Looks } from './use-looks.ts'

const state = (isOn: boolean): string => t(isOn ? 'resultView.looks.on' : 'resultView.looks.off')

interface Props {
  readonly looks: Looks
  readonly onShare?: (() => void) | undefined
  readonly onCompare?: (() => void) | undefined
}

/** How the rows are looked at, and what else can be done with them. */
export function LooksMenu({ looks, onShare, onCompare }: Props) {
  const { display, setDisplay, shown } = looks
  return (
    <Menu
      label={t('resultView.looks.menu')}
      width={270}
      entries={[
        {
          label: t('resultView.search.label'),
          hint: keyNames('Mod', 'F'),
          onSelect: () => looks.search(true),
        },
        {
          label: t('resultView.side.toggle'),
          hint: state(shown !== 'nothing'),
          onSelect: () => looks.show(shown === 'nothing' ? 'value' : 'nothing'),
        },
        ...(onShare ? [{ label: t('resultView.share'), onSelect: onShare }] : []),
        ...(onCompare ? [{ label: t('resultView.compare'), onSelect: onCompare }] : []),
        { kind: 'divider' },
        {
          label: t('resultView.looks.groupsDigits'),
          hint: state(display.groupsDigits),
          onSelect: () => setDisplay({ ...display, groupsDigits: !display.groupsDigits }),
        },
        {
          label: t('resultView.looks.localTime'),
          hint: state(display.showsLocalTime),
          onSelect: () => setDisplay({ ...display, showsLocalTime: !display.showsLocalTime }),
        },
      ]}
      trigger={
        <IconButton label={t('resultView.looks.menu')} size="sm">
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
