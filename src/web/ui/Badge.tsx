import { classNames } from './class-names.ts'

export type BadgeMetal = 'gold' | 'silver' | 'bronze'

const metals: Record<BadgeMetal, string> = {
  gold: 'bg-linear-120 from-[#f3dc9b] via-[#d9b459] to-[#c39a3a] text-[#2b2109]',
  silver: 'bg-linear-120 from-[#f4f4f2] via-[#cfd1d2] to-[#b3b6b9] text-[#202325]',
  bronze: 'bg-linear-120 from-[#ecc6a0] via-[#c98f5c] to-[#b57c4c] text-[#28170a]',
}

/** A struck metal label, as on a bar. */
export const Badge = ({ metal, children, className }: { metal: BadgeMetal; children: string; className?: string }) => (
  <span
    className={classNames(
      'inline-block rounded-[2px] px-2 py-1 text-[0.6875rem] leading-none font-bold tracking-[0.09em]',
      metals[metal],
      className,
    )}
  >
    {children}
  </span>
)
