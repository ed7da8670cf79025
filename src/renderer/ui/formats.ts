import { createContext, useContext } from 'react';
import { type Formats, defaultFormats } from '#shared/lib/formats.ts';

const FormatsContext = createContext<Formats>(defaultFormats);

export const FormatsProvider = FormatsContext.Provider;

export function useFormats(): Formats {
  return useContext(FormatsContext);
}
