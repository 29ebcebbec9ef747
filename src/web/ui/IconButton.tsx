import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './Icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & { icon: IconName; label: string }

/** 44 px square; `label` is for screen readers. */
export function IconButton({ icon, label, className, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={classNames(
        'inline-grid size-11 place-items-center rounded-full transition-colors duration-200 hover:bg-current/10 disabled:opacity-40',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  )
}
