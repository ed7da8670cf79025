export { DoctorView } from './doctor-view.tsx';
