export { MoneyLine } from './money-line.tsx';
