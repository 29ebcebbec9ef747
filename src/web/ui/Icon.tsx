import { classNames } from './class-names.ts'

/** Drawn on a 24 px grid with a 1.6 px pen. */
const drawings = {
  bag: 'M5.5 8h13l1 12.2h-15L5.5 8Zm3.2 2.5V7a3.3 3.3 0 0 1 6.6 0v3.5',
  search: 'M10.8 17.6a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.6Zm5-1.8 4.7 4.7',
  menu: 'M3.5 7.5h17M3.5 12.5h17M3.5 17.5h11',
  close: 'm5.5 5.5 13 13m0-13-13 13',
  home: 'M4 11.2 12 4l8 7.2M6.2 9.6V20h4.3v-5.4h3V20h4.3V9.6',
  plus: 'M12 5.5v13M5.5 12h13',
  minus: 'M5.5 12h13',
  bin: 'M4.5 7h15M9.5 7V4.5h5V7m-8 0 .9 12.5h9.2L17.5 7m-7 3.5.3 5.5m2.7-5.5-.3 5.5',
  left: 'M19.5 12h-15m6-6-6 6 6 6',
  right: 'M4.5 12h15m-6-6 6 6-6 6',
  down: 'm5.5 9 6.5 6.5L18.5 9',
  out: 'M8 16 17.5 6.5M9.5 6.5h8v8',
  mail: 'M3.5 6h17v12.5h-17V6Zm.4.6 8.1 7 8.1-7',
  chat: 'M4 5.5h16v11h-8.5L7 20v-3.5H4v-11Zm4 4.2h8m-8 3.2h5',
  check: 'm4.5 12.5 5 5 10-11',
  truck:
    'M2.5 6.5h11v10h-11v-10Zm11 3.5h4l3.5 3.2v3.3h-7.5V10ZM7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm10.2 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  seal: 'M12 3.5 14.3 5l2.7.1 1 2.6 2.1 1.8-.8 2.6.8 2.6-2.1 1.8-1 2.6-2.7.1-2.3 1.5-2.3-1.5-2.7-.1-1-2.6-2.1-1.8.8-2.6-.8-2.6L6 7.7l1-2.6L9.7 5 12 3.5Zm-3.2 8.8 2.3 2.3 4.2-4.7',
  calendar: 'M4.5 6h15v13.5h-15V6Zm0 4.5h15m-11-7v4m7-4v4',
  needle: 'm4 20 9-9c.5-3 3.5-7 7.5-7.5C20 7.5 16 10.5 13 11m4-4c3.5 2.5 4 7 1 8.5s-5.5-.5-7 2 .5 4.5 3 3.5',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames('shrink-0', className)}
    >
      <path d={drawings[name]} />
    </svg>
  )
}
