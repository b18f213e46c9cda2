import{e as a,f as b,g as c,h as d,i as e,j as f}from"./chunk-I4ZWVTP3.js";export{b as csv,f as onGround,e as painted,d as pictured,a as save,c as standalone};
