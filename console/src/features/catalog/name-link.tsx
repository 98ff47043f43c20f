import { Link } from '@tanstack/react-router'
import styles from './catalog.module.css'

export const NameLink = ({ name, address }: { name: string; address: string }) => (
  <Link to={address} className={styles['name']}>
    {name}
  </Link>
)
