import styles from './kbd.module.css'

const APPLE = /Mac|iPhone|iPad/

const SYMBOLS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵' }

/** `Mod` is Command on Apple's keyboards and Control elsewhere. */
export const keyName = (key: string, platform: string = navigator.platform): string => {
  if (APPLE.test(platform)) return SYMBOLS[key] ?? key
  return key === 'Mod' ? 'Ctrl' : key
}

/** Keys that are pressed together, in words of this platform: 'Ctrl + Shift + T'. */
export const keyNames = (...keys: readonly string[]): string => keys.map((key) => keyName(key)).join(' + ')

export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles['keys']}>
      {keys.map((key) => (
        <kbd key={key} className={styles['key']}>
          {keyName(key)}
        </kbd>
      ))}
    </span>
  )
}
