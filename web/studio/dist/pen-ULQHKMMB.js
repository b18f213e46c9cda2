import{a,b,c,d}from"./chunk-REEONWDS.js";export{d as Pen,a as escaped,c as file,b as part};
