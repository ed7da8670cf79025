import { ReportParser } from '#core/reports/parse/report-parser.ts';
const rows = 1_000_000;
const parts: Buffer[] = [Buffer.from('{"status":"success","message":"Search report","data":[')];
let text = [];
for (let i=0;i<rows;i++){
  const d = new Date(Date.UTC(2026,7,1)+ (i%90)*86400000).toISOString().slice(0,10);
  text.push(JSON.stringify({date:d,feed:900101+(i%4),geo:['BR','US','DE','FR','IN'][i%5],subid:'sub-'+(i*7919%20011),total:String(9000+i%1000),monetized:String(5000+i%77),clicks:String(300+i%100),revenue:(16.180339+i%100/7).toFixed(6),epc:'0.053934',rpm:'1.797815'}));
  if(text.length===1000){parts.push(Buffer.from((parts.length>1?',':'')+text.join(',')));text=[];}
}
parts.push(Buffer.from(']}'));
const all=Buffer.concat(parts);parts.length=0;
console.log(all.length/rows,'bytes/row');
for(let k=0;k<3;k++){
global.gc?.();
const t=performance.now(); const cpu=process.cpuUsage();
const p=new ReportParser({kind:'search'});
for(let at=0;at<all.length;at+=65536)p.push(all.subarray(at,at+65536));
const r=p.finish();
const c=process.cpuUsage(cpu);
console.log(r.table.rowCount,(performance.now()-t).toFixed(0),'ms wall',(c.user+c.system)/1000,'ms cpu',r.table.sums.map(s=>[s.id,s.scale]),r.table.dimensions.map(d=>[d.id,d.labels.length]),process.memoryUsage().rss/2**20);
}
for (let k=0;k<2;k++){ const cpu=process.cpuUsage(); const t=JSON.parse(all.toString()).data.length; const c=process.cpuUsage(cpu); console.log('JSON.parse',(c.user+c.system)/1000,'ms cpu')}
