import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { IconClock, IconCoin, IconReceipt } from '../../ui/icons.ts'
import { Brand, SchemeToggle } from './frame.tsx'
import styles from './sign-up.module.css'

/** The beginning of a query that every new account has. */
const SAMPLE = `SELECT
  n_name AS nation,
  year(o_orderdate) AS year,
  sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM lineitem
JOIN orders ON o_orderkey = l_orderkey
JOIN supplier ON s_suppkey = l_suppkey
JOIN nation ON n_nationkey = s_nationkey
GROUP BY ALL;`

/** Two columns: the form, and what the user gets. Users who have paid elsewhere get no trial. */
export function SignUpFrame({ trial, children }: { trial: boolean; children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <SchemeToggle />
      <main className={styles['left']}>
        <div className={styles['column']}>
          <Brand />
          {children}
        </div>
      </main>
      <aside className={styles['right']} aria-label={t('signUp.points.label')}>
        <pre className={styles['sample']} aria-label={t('signUp.points.sample')}>
          <code>{SAMPLE}</code>
        </pre>
        <ul className={styles['points']}>
          {trial && (
            <Point
              icon={<IconCoin size={20} aria-hidden />}
              title={t('signUp.points.credit')}
              text={t('signUp.points.creditText')}
            />
          )}
          <Point
            icon={<IconClock size={20} aria-hidden />}
            title={t('signUp.points.ready')}
            text={t('signUp.points.readyText')}
          />
          <Point
            icon={<IconReceipt size={20} aria-hidden />}
            title={t('signUp.points.price')}
            text={t('signUp.points.priceText')}
          />
        </ul>
      </aside>
    </div>
  )
}

const Point = ({ icon, title, text }: { icon: ReactNode; title: string; text: string }) => (
  <li>
    {icon}
    <p className={styles['point']}>{title}</p>
    <p>{text}</p>
  </li>
)
