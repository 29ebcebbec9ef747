import { classNames } from './class-names.ts'

export type BadgeMetal = 'gold' | 'silver' | 'bronze'

const metals: Record<BadgeMetal, string> = {
  gold: 'bg-linear-120 from-[#f3dc9b] via-[#d9b459] to-[#c39a3a] text-[#2b2109]',
  silver: 'bg-linear-120 from-[#dfe1e2] via-[#bfc3c6] to-[#a3a8ad] text-[#202325]',
  bronze: 'bg-linear-120 from-[#ecc6a0] via-[#c98f5c] to-[#b57c4c] text-[#28170a]',
}

/** Styled like the stamp on a metal bar. */
export const Badge = ({ metal, children, className }: { metal: BadgeMetal; children: string; className?: string }) => (
  <span
    className={classNames(
      'inline-block rounded-[2px] shadow-[0_0_0_1px_rgb(29_27_25/0.14)] px-2 py-1 text-[0.6875rem] leading-none font-bold tracking-[0.09em]',
      metals[metal],
      className,
    )}
  >
    {children}
  </span>
)
