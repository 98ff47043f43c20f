import { Link } from '@tanstack/react-router'
import styles from './access.module.css'
import { useAddressOf } from './places.ts'

interface Props {
  readonly kind: 'user' | 'role'
  readonly name: string
}

export function ToLink({ kind, name }: Props) {
  const addressOf = useAddressOf()
  return (
    <Link to={addressOf(kind, name)} className={styles['name']}>
      {name}
    </Link>
  )
}
