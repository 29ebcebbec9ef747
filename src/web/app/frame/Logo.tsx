import type { Logo as LogoSetting } from '#site/settings.ts'
import { useSite } from '#web/api/use-site.ts'

type PictureProps = { logo: LogoSetting; name: string }

/** Of a fixed height, so nothing moves while it loads; on a plate where it could not be told from its ground. */
export const LogoPicture = ({ logo: { file, width, height, ground }, name }: PictureProps) => (
  <img src={`/pictures/${file}.${width}.webp`} {...{ width, height }} alt={name} className={`logo logo-${ground}`} />
)

export function Logo() {
  const { name, logo } = useSite()
  if (logo) return <LogoPicture {...{ logo, name }} />
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 40 40" aria-hidden="true" className="size-9 shrink-0">
        <path d="M12 1.5h16L38.5 12v16L28 38.5H12L1.5 28V12Z" fill="var(--color-strong)" />
        <path
          d="M13.2 4.5h13.6l8.7 8.7v13.6l-8.7 8.7H13.2l-8.7-8.7V13.2Z"
          fill="none"
          stroke="var(--color-gold)"
          strokeWidth="0.9"
        />
        <g fill="var(--color-gold)">
          <path d="M20 19.2c3.9 0 7.3 3.6 7.3 6.8 0 2.3-1.7 3.3-3.6 3.3-1.4 0-2.4-.6-3.7-.6s-2.3.6-3.7.6c-1.9 0-3.6-1-3.6-3.3 0-3.2 3.4-6.8 7.3-6.8Z" />
          <ellipse cx="11.3" cy="19.3" rx="2.1" ry="2.9" transform="rotate(-24 11.3 19.3)" />
          <ellipse cx="16.4" cy="14" rx="2.2" ry="3.1" transform="rotate(-8 16.4 14)" />
          <ellipse cx="23.6" cy="14" rx="2.2" ry="3.1" transform="rotate(8 23.6 14)" />
          <ellipse cx="28.7" cy="19.3" rx="2.1" ry="2.9" transform="rotate(24 28.7 19.3)" />
        </g>
      </svg>
      <span className="font-display text-[1.5rem] leading-none font-[480] tracking-[-0.03em]">{name}</span>
    </span>
  )
}
