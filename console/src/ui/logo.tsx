/** The mark: a gable roof over a wave. Decoration; whatever holds it carries the name. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
        <path d="M5.5 15 16 6.5 26.5 15" />
        <path d="M9.5 13v5.5M22.5 13v5.5" />
        <path d="M5 23.5c1.83-1.8 3.67-1.8 5.5 0s3.67 1.8 5.5 0 3.67-1.8 5.5 0 3.67 1.8 5.5 0" />
      </g>
    </svg>
  )
}
