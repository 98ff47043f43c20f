import styles from './kbd.module.css'

const APPLE = /Mac|iPhone|iPad/

const SYMBOLS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵' }

/** `Mod` is Command on Apple's keyboards and Control elsewhere. */
export const keyName = (key: string, platform: string = navigator.platform): string => {
  if (APPLE.test(platform)) return SYMBOLS[key] ?? key
  return key === 'Mod' ? 'Ctrl' : key
}

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
