import { config } from 'zod';

// The page's policy forbids to generate code from schemas. Has to run before the first schema is made.
config({ jitless: true });
