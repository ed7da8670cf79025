import { createContext, useContext } from 'react';
import { type Formats, usualFormats } from '#shared/lib/formats.ts';

const FormatsContext = createContext<Formats>(usualFormats);

export const FormatsProvider = FormatsContext.Provider;

export function useFormats(): Formats {
  return useContext(FormatsContext);
}
