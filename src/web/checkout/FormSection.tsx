import type { ReactNode } from 'react'

export const FormSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid min-w-0 gap-5">
    <legend className="mb-5 font-display text-[1.375rem] leading-tight tracking-[-0.018em]">{title}</legend>
    {children}
  </fieldset>
)
