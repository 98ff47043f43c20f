import { useColorScheme } from '../../ui/index.ts'
import styles from './guide.module.css'

/** Files of their own, which nobody fetches before they come into sight. */
const files = import.meta.glob<string>('../../../../docs/pictures/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

const addressOf = (name: string): string | undefined => files[`../../../../docs/pictures/${name}.webp`]

/** A picture of the product, in the colours that the reader has chosen. */
export function GuidePicture({ name, text }: { name: string; text: string }) {
  const { scheme } = useColorScheme()
  const address = addressOf(name.replace(/-(light|dark)$/, `-${scheme}`)) ?? addressOf(name)
  return (
    address && (
      <img className={styles['picture']} src={address} alt={text} width={1280} height={720} loading="lazy" />
    )
  )
}
