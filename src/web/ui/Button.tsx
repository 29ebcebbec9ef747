import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './Spinner.tsx'

export type ButtonVariant = 'primary' | 'quiet' | 'outline' | 'plain'

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'bg-button text-ivory not-aria-disabled:not-disabled:hover:bg-button-hover',
  quiet: 'bg-button-quiet text-ink not-aria-disabled:not-disabled:hover:bg-line',
  outline:
    'border border-ink/70 text-ink not-aria-disabled:not-disabled:hover:border-ink not-aria-disabled:not-disabled:hover:bg-ink not-aria-disabled:not-disabled:hover:text-ivory',
  plain: 'text-ink link-line px-0!',
}

/** For links and buttons alike; 48 px high, for thumbs. */
export const buttonClass = (variant: ButtonVariant = 'primary', className?: string): string =>
  classNames(
    'inline-flex min-h-12 items-center justify-center gap-2.5 rounded-card px-6 py-2.5 text-center font-semibold leading-tight transition-colors duration-200 ease-quiet',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-70 disabled:cursor-not-allowed disabled:opacity-60',
    variantClasses[variant],
    className,
  )

type Props = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** Adds a spinner and ignores clicks. */
  busy?: boolean
}

/** A busy button must keep its focus, so it is `aria-disabled`, not `disabled`. */
export function Button({
  variant = 'primary',
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Props) {
  const idle = rest['aria-disabled'] !== true && rest['aria-disabled'] !== 'true'
  return (
    <button
      {...rest}
      type={type}
      {...(busy && { 'aria-disabled': true, 'aria-busy': true })}
      className={buttonClass(variant, className)}
      onClick={(event) => {
        if (busy || !idle) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
