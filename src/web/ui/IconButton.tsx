import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './Icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'children' | 'disabled'> & {
  icon: IconName
  label: string
  /** Ignores clicks, but keeps its focus: a keyboard stays where it is. */
  idle?: boolean
}

/** 44 px square; `label` is for screen readers. */
export function IconButton({ icon, label, className, type = 'button', idle = false, onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      aria-disabled={idle || undefined}
      onClick={idle ? undefined : onClick}
      className={classNames(
        'inline-grid size-11 place-items-center rounded-full transition-colors duration-200 not-aria-disabled:hover:bg-current/10 aria-disabled:opacity-40',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  )
}
