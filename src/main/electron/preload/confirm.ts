import { exposeConfirm } from './expose-confirm.ts';

exposeConfirm('work');
