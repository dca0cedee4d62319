-- More words for the categories of 02_categories.sql: what customers say for a trade, what they buy, what is broken and what
-- hurts, in Spanish, Catalan with its forms in Valencia and the Balearic Islands, and English. They are suggested after those.
set local plaza.seeding = 'on';

insert into public.category_synonyms (category_slug, synonym_term, language_code, priority)
select code, term, language, 30
from (values
  ('active',
    'actividad física,deportista,polideportivo,centro deportivo,sedentario',
    'activitat física,esportista,poliesportiu,centre esportiu',
    'sporty,leisure centre,stay active,physical activity'),
  ('gyms',
    'mancuernas,spinning,ciclo indoor,cinta de correr,body pump,bodypump,cardio,adelgazar,perder peso,bajar peso,quemar grasa,perder barriga,'
    'quitar barriga,bajar barriga,perder kilos,abdominales,glúteos,bíceps,entrenar,entreno,entrenadora,kickboxing,boxear,boxeador,artes marciales,'
    'kárate,judo,taekwondo,jiu jitsu,muay thai,mma,lucha deportiva,defensa personal,aerobic,gimnasia,calistenia,halterofilia,hiit,trx,tonificar,'
    'masa muscular,ganar músculo,ponerse fuerte,cachas,operación bikini,nadar,natación,aquagym,clases dirigidas,pole dance,bici estática,gimnasta,'
    'fortalecer,preparador físico,tatami,electroestimulación,piscina municipal,piscina cubierta,mejorar condición física',
    'manuelles,peses,musculació,aprimar-se,perdre pes,baixar pes,cremar greix,perdre panxa,treure panxa,perdre quilos,boxejar,gimnàstica,'
    'massa muscular,guanyar múscul,posar-se fort,operació biquini,nedar,natació,classes dirigides,preparador físic,enfortir,piscina coberta',
    'weights,weightlifting,dumbbells,barbell,treadmill,spin class,bodybuilding,lose belly,burn fat,burn calories,build muscle,gain muscle,muscles,'
    'glutes,exercise bike,gymnastics,martial arts,self defence,self defense,calisthenics,health club,bootcamp,boot camp,pole dancing,bikini body,'
    'swimming lessons,swimming classes,indoor pool,public pool,strength training,personal training,body toning'),
  ('yoga',
    'hatha,vinyasa,ashtanga,kundalini,bikram,mindfulness,meditar,chi kung,qi gong,tai chi,taichi,respiración consciente,flexibilidad,estirar,'
    'estirarse,yogui,saludo al sol,clase relajante,relajar mente,paz interior,chakras,cuencos tibetanos,yogaterapia,hipopresivos,esterilla,'
    'postura corporal,equilibrio cuerpo mente,desestresarse,retiro espiritual',
    'txi kung,tai-txi,taitxí,respiració conscient,flexibilitat,relaxació,iogui,salutació al sol,pau interior,txacres,bols tibetans,hipopressius,'
    'cos i ment,desestressar-se,recés espiritual',
    'meditate,breathwork,breathing exercises,flexibility,stretch,yogi,sun salutation,inner peace,sound bath,singing bowls,barre class,posture,'
    'core strength,mind body,unwind,de-stress'),
  ('outdoor-sports',
    'excursión montaña,trekking,treking,caminata,escalar,rocódromo,vía ferrata,barranquismo,barrancos,espeleología,alpinismo,alpinista,'
    'guía de montaña,raquetas de nieve,surfear,surfista,kitesurf,windsurf,wakeboard,esquí acuático,clases de vela,navegar,barco,velero,catamarán,'
    'moto de agua,motos acuáticas,snorkel,esnórquel,submarinismo,bucear,buzo,piragua,canoa,piragüismo,descenso río,parapente,ala delta,'
    'paracaidismo,paracaídas,globo aerostático,vuelo en globo,tirolina,puenting,multiaventura,mountain bike,ciclismo,btt,ruta en bici,'
    'cicloturismo,quads,caballo,hípica,equitación,pádel,tenis,golf,salida pesca,tiro con arco,paintball,karts,running,correr montaña,'
    'orientación montaña,jugar fútbol,campo fútbol,deporte acuático,subir montaña,ruta montaña,deportes montaña,pesca deportiva,caña pescar',
    'excursió muntanya,caminada,rocòdrom,barranquisme,descens de barrancs,alpinisme,guia de muntanya,raquetes de neu,piragüisme,classes de vela,'
    'vaixell,barca,catamarà,moto aquàtica,submarinisme,bussejar,immersions,parapent,paracaigudisme,paracaigudes,globus aerostàtic,volar en globus,'
    'pònting,bicicleta de muntanya,ciclisme,cicloturisme,cavalls,equitació,tennis,tir amb arc,cursa de muntanya,camp de futbol,esports aquàtics,'
    'pujar muntanya,ruta muntanya,esports muntanya,pesca esportiva,canya pescar',
    'hike,trek,trails,climb,canyoning,caving,alpine guide,snowshoes,surfboard,paddle boarding,paddleboard,sup,kitesurfing,windsurfing,'
    'wakeboarding,sailing,sail,boat rental,boat hire,boat trip,yacht,jet ski,snorkelling,snorkeling,scuba,canoe,canoeing,white water,paragliding,'
    'skydiving,parachute,hot air balloon,bungee,zip line,zipline,adventure,outdoor activities,mountain biking,cycling,bike tour,horse,horses,'
    'horseback riding,pony,stables,fishing trip,archery,go karting,play football,football pitch,water sports,mountain guide,mountain walk,'
    'mountain sports,fishing charter,buggy tour,dive center'),
  ('ski',
    'remontes,telesilla,telecabina,fuera de pista,freeride,trineo,esquiador,fijaciones,gafas de ventisca,semana blanca,snowboarder,snowpark,'
    'guardaesquís',
    'forfet,telecadira,fora pista,trineu,fixacions,setmana blanca',
    'snowboarding,lift pass,lift ticket,slopes,piste,chairlift,gondola,snowshoes,snowshoeing,sledge,sled,sledding,toboggan,goggles,skier,'
    'salopettes,winter sports'),
  ('arts',
    'cultura,cultural,entretenimiento,artístico',
    'entreteniment',
    'culture'),
  ('galleries',
    'galerista,comprar arte,obra de arte,lienzo,óleo,acuarela,escultura,escultor,escultora,litografía,serigrafía arte,arte contemporáneo,'
    'arte moderno,vernissage,museo,subasta de arte,enmarcar,enmarcado,marquetería,láminas decorativas,artista plástico,ver arte,anticuario,'
    'antigüedades,caballete,grabado artístico',
    'comprar art,obra d''art,obres d''art,aquarel·la,art contemporani,art modern,vernissatge,museu,subhasta d''art,emmarcar,làmines decoratives,'
    'artista plàstic,veure pintures,botiga antiguitats,comprar antiguitats,gravat artístic',
    'gallery,galleries,art shop,buy art,artwork,art works,fine art,contemporary art,canvas,watercolour,watercolor,sculpture,sculptures,sculptor,'
    'prints art,lithograph,exhibit,museum,art auction,picture frame,picture framing,wall art,collector,art opening,art fair,antiques,antique,'
    'framed art,painter portrait'),
  ('theaters',
    'ópera,zarzuela,ballet,danza,títeres,marionetas,guiñol,magia,mago,ilusionista,circo,payaso,monologuista,humorista,reírse,reír,actor,actriz,'
    'escenario,dramaturgia,drama,tragedia,cabaret,microteatro,improvisación teatral,impro,auditorio,cine,película,cartelera,ver una obra,'
    'clases de interpretación,entradas musical,obra musical',
    'sarsuela,dansa,titelles,putxinel·lis,marionetes,mag,il·lusionista,circ,pallasso,monòlegs,riure,escenari,auditori,cinema,pel·lícula,'
    'pel·lícules,pastorets,veure una obra,classes d''interpretació,entrades musical',
    'stage,dance show,puppets,magic show,magician,illusionist,circus,clown,comedian,laugh,improv,actress,playhouse,burlesque,auditorium,'
    'performing arts,movie,movies,matinee,box office,musical tickets'),
  ('flamenco',
    'bulerías,sevillanas,rumba,cante jondo,cantaor,cantaora,bailaor,bailaora,guitarra flamenca,noche flamenca,cena espectáculo,castañuelas,'
    'taconeo,peña flamenca,actuaciones en directo,grupo en directo,banda en directo,jazz,blues,cantautor,orquesta,recital,acústico,jam session,'
    'cantante,soul,reggae,verbena,grupo rock',
    'flamenc,sevillanes,sopar espectacle,castanyoles,actuacions en directe,actuació en directe,grup en directe,cantautora,orquestra,acústic,'
    'havaneres,sardanes,revetlla',
    'spanish guitar,dinner show,castanets,live band,band playing,indie,singer,songwriter,acoustic,orchestra,live show,music,open mic,rock band'),
  ('auto',
    'vehículo,auto,carro,furgoneta,todoterreno,autocaravana',
    'vehicle,vehicles,automòbil,tot terreny',
    'automotive,campervan'),
  ('auto-repair',
    'chapista,pintura coche,pintar coche,arañazo coche,rayado coche,rayón coche,abolladura,abollado,golpe coche,golpe de chapa,parachoques,'
    'paragolpes,retrovisor,luna coche,luna rota,parabrisas,cambio de lunas,coche roto,coche averiado,coche arranca,coche ruido,ruido motor,'
    'humo motor,coche humo,coche se cala,coche tirado,tirado carretera,tirado autopista,se calienta motor,testigo motor,luz motor,luz salpicadero,'
    'pierde aceite,fuga de aceite,aceite coche,cambiar aceite,filtro aceite,frenar,caja de cambios,amortiguadores,dirección asistida,'
    'correa de distribución,distribución coche,alternador,bujías,inyectores,turbo,catalizador,tubo de escape,escape coche,radiador coche,'
    'anticongelante,carburador,culata,diésel,batería descargada,pinzas batería,aire acondicionado coche,carga de gas coche,elevalunas,'
    'limpiaparabrisas,faros,bombilla coche,inspección técnica,mantenimiento coche,electromecánico,electricista coche,grúa,remolcar,recambios,'
    'piezas coche,desguace,accidente coche,choque coche,neumático pinchado,rueda pinchada,pinchazo,llave coche,enganche remolque,'
    'alineado dirección,volante vibra,marchas no entran,filtro de partículas,adblue,furgoneta arranca,coche enciende,furgoneta averiada',
    'xapista,pintar cotxe,ratllada cotxe,rascada cotxe,bony cotxe,abonyegat,abonyegada,cop cotxe,para-xocs,vidre cotxe,parabrises,'
    'canvi de vidres cotxe,cotxe espatllat,cotxe trencat,cotxe engega,cotxe arrenca,cotxe soroll,soroll motor,fum motor,cotxe fum,tirat carretera,'
    'escalfa motor,llum motor,perd oli,fuita d''oli,oli cotxe,canviar oli,filtre oli,fre,embragatge,caixa de canvis,amortidors,suspensió cotxe,'
    'corretja de distribució,bugies,injectors,catalitzador,tub d''escapament,radiador cotxe,anticongelant,bateria cotxe,bateria descarregada,'
    'pinces bateria,aire condicionat cotxe,carregar gas cotxe,alçavidres,eixugaparabrises,fars,bombeta cotxe,revisió cotxe,revisar cotxe,'
    'inspecció tècnica,manteniment cotxe,reparar cotxe,electromecànic,recanvis,peces cotxe,desballestament,accident cotxe,punxada,clau cotxe,'
    'furgoneta engega,furgoneta espatllada,cotxe avariat',
    'car broken,broke down,broken down,engine,warning light,car noise,car smoke,overheating car,car starts,stalled car,stalling,flat battery,'
    'car battery,jump start,jump leads,jumper cables,brake,clutch,gearbox,transmission,gears,suspension,shock absorbers,steering wheel shakes,'
    'timing belt,cam belt,alternator,spark plugs,exhaust,muffler,catalytic converter,radiator car,coolant,antifreeze,oil leak car,windscreen,'
    'windshield,wipers,headlight,wing mirror,side mirror,bumper,scratch car,scratched car,paint car,panel beating,bodywork,crash car,crashed car,'
    'car accident,fender bender,mot,vehicle inspection,roadworthy,car servicing,auto shop,tow,towing,roadside assistance,recovery truck,'
    'spare parts,car parts,air con car,flat tyre,flat tire,puncture,car key,scrapyard,dent car,dented car,dent removal,dent door,car diagnostics,'
    'van broke,van start'),
  ('car-wash',
    'lavacoches,lavadero,túnel de lavado,lavado interior,lavado exterior,lavado integral,lavar furgoneta,lavar moto,lavar auto,lavar vehículo,'
    'coche sucio,coche limpio,coche lleno de barro,coche polvo,encerar coche,pulir coche,pulido coche,pulir faros,pulido faros,faros amarillos,'
    'abrillantar coche,aspirar coche,aspirado interior,interior coche,asientos coche,limpiar asientos,manchas asiento,alfombrillas,'
    'salpicadero limpio,tratamiento cerámico coche,ozono coche,olor coche,huele mal coche,pelos de perro coche,desinfectar coche,boxes lavado,'
    'dejar el coche como nuevo,lavado mano coche,encerado coche,detailing coche',
    'rentacotxes,túnel de rentat,rentador de cotxes,rentat interior,rentat exterior,autorentat,rentar furgoneta,rentar moto,rentar vehicle,'
    'netejar cotxe,llavar cotxe,llavat de cotxes,cotxe brut,cotxe net,cotxe ple de fang,encerar cotxe,polir cotxe,polir fars,fars grocs,'
    'abrillantar cotxe,aspirar cotxe,interior cotxe,seients cotxe,netejar seients,taques seient,estoretes cotxe,ozó cotxe,olor cotxe,pudor cotxe,'
    'desinfectar cotxe,rentat mà cotxe,detailing cotxe',
    'carwash,car washing,car valet,valeting,clean car,dirty car,muddy car,wash van,wash motorbike,car interior,car seats,stained seats,'
    'clean seats,car upholstery,car vacuum,car wax,car polish,polishing car,ceramic coating,smelly car,car smell,dog hair car,jet wash,'
    'self service wash,headlight polishing,car detail,auto detailing,car detailer'),
  ('tires',
    'pinchado coche,pinchado autopista,pinchado carretera,reventón,desinflado,cubiertas coche,gomas coche,paralelo coche,recauchutado,'
    'cadenas de nieve,tornillos antirrobo,vulcanizadora,tapacubos,bridgestone,pirelli,goodyear,firestone,alineación dirección',
    'roda,punxat,llantes,gomes cotxe,cobertes cotxe,paral·lel cotxe,cadenes de neu,alineació direcció',
    'tyre,tire,punctured,snow chains,rims,alloys,hubcap,tread,car alignment'),
  ('motorcycles',
    'motocicleta,motero,motera,vespa,vespino,escúter,quad,enduro,motocross,harley,ducati,kawasaki,piaggio,lambretta,125 cc,patinete,'
    'casco integral,equipamiento motorista,mobylette',
    'motocicletes,motocròs,patinet,casc integral',
    'motorcycles,motorbikes,motorcyclist,moped,biker,dirt bike,crash helmet,handlebars,125cc'),
  ('beautysvc',
    'ponerse guapo,estar guapa,estar guapo,imagen personal,invitada boda,cambio imagen',
    'posar-se guapa,posar-se guapo,imatge personal,convidada boda,canvi imatge',
    'pamper,pampering,makeover,personal care,wedding guest look'),
  ('hair',
    'pelu,cabello,corte señora,corte mujer,corte niño,corte de puntas,cortar puntas,puntas abiertas,sanear puntas,melena,flequillo,cubrir canas,'
    'tapar canas,decoloración,decolorar,rubio platino,teñir rubio,balayage,babylights,californianas,baño de color,keratina,queratina,capilar,'
    'alopecia,calvicie,caspa,rizos,rizado,trenzas,rastas,semirrecogido,peinar,peinarse,lavar y marcar,lavado de cabeza,encrespado,greñas,pelucas,'
    'asesor de imagen,corte bob,corte pixie,degradado,pelado,pelarse,piojos,raparse cabeza,rapado lados',
    'perru,perruques,perruca,perruqueries,puntes obertes,tallar puntes,sanejar puntes,serrell,tapar canes,tenyir,decoloració,descolorar,balaiatge,'
    'bany de color,allisat,permanent,capil·lar,rínxols,arrissat,arrissar,rastes,monyo,pentinar,rentar cap,grenyes,degradat,pelar-se,polls al cap,'
    'rapar cap,rapat cap',
    'hairstyle,hairstylist,hairstyling,stylist,split ends,ends trimmed,fringe,bangs,cover greys,roots done,root touch up,dye,dyed,dyeing,'
    'colourist,colorist,blonde,blond,brunette,lowlights,keratin,perm,curls,braids,braiding,cornrows,dreadlocks,dreads,updo,blowout,bald,balding,'
    'dandruff,wig,frizzy,frizz,bob cut,pixie cut,layers cut,buzz cut,shave head,lice'),
  ('barbers',
    'barbershop,corte de pelo,cortar el pelo,cortarse el pelo,corte de cabello,corte hombre,corte masculino,corte chico,corte niño,'
    'peluquería hombre,peluquería de caballeros,peluquería masculina,peluquero hombre,peluquero caballero,pelarse,pelado,rapar cabeza,degradado,'
    'fade,pelo a máquina,corte a máquina,corte a tijera,corte a navaja,afeitar,afeitarse,rasurar,rasurado,barbudo,perilla,bigote,bigotes,'
    'cejas hombre,toalla caliente,tupé,flequillo hombre,nuca,corte clásico,raparse cabeza,rapado lados,rapado cero,recortar patillas',
    'barberies,tall de cabell,tallar els cabells,tall masculí,tall cavaller,tall noi,tall nen,perruqueria home,perruqueria d''homes,'
    'perruqueria masculina,perruquer home,pelar-se,degradat,tall a màquina,tall a navalla,afaitar,afaitada,barbut,bigoti,celles home,'
    'tovallola calenta,clatell,tall clàssic,retallar patilles',
    'haircut,hair cut,trim hair,mens hair,men''s hairdresser,male hairdresser,taper,buzz cut,crew cut,undercut,mohawk,clippers,hot towel,razor,'
    'shaved,shaving,moustache,mustache,goatee,sideburns,stubble,facial hair,line up hair,short back and sides'),
  ('beauty-salon',
    'esteticién,centro de belleza,depilarme,fotodepilación,vello,pelos piernas,ingles brasileñas,axilas,bigote,entrecejo,microblading,'
    'micropigmentación,rímel,maquillar,maquillarse,maquilladora,maquillador,arrugas,antiedad,antiarrugas,acné,granos cara,espinillas,'
    'puntos negros,manchas piel,piel grasa,piel seca,cuidado de la piel,limpieza de cara,limpieza piel,peeling,exfoliación,tratamiento corporal,'
    'celulitis,anticelulítico,flacidez,reafirmante,radiofrecuencia,presoterapia,maderoterapia,mesoterapia,cavitación,reducir barriga,estrías,'
    'bótox,ácido hialurónico,labios,rejuvenecer,ojeras,rayos uva,solárium,bronceado,broncearse,moreno cabina,cosmética,cosméticos,piercing,'
    'tatuaje,tatuajes,tatuador,tatuarse,manos y pies',
    'esteticistes,centre de bellesa,fotodepilació,borrissol,engonals,aixelles,bigoti,llavi superior,entrecella,micropigmentació,arrugues,antiedat,'
    'grans cara,punts negres,taques pell,pell grassa,pell seca,cura de la pell,neteja de cutis,neteja de cara,exfoliació,tractament corporal,'
    'cel·lulitis,flaccidesa,radiofreqüència,pressoteràpia,àcid hialurònic,augment llavis,rejovenir,raigs uva,bronzejat,pírcing,tatuatge,tatuatges,'
    'tatuar-se,ungla,mans i peus,estries panxa',
    'beauty salon,beauty parlour,beauty parlor,beauty clinic,aesthetician,esthetician,beauty therapist,wax,waxed,bikini line,hair removal,'
    'unwanted hair,armpits,electrolysis,ipl,brows,lashes,mascara,wrinkles,wrinkle,anti-ageing,anti-aging,spots on face,pimples,blackheads,pores,'
    'skin care,skincare,glowing skin,dry skin,oily skin,peel,microdermabrasion,hydrafacial,cellulite,stretch marks,body contouring,fillers,lips,'
    'hyaluronic acid,aesthetics clinic,spray tan,tanning,sunbed,cosmetics,tattoo'),
  ('spa-wellness',
    'masajear,descontracturante,quiromasajista,shiatsu,reiki,reflexología,drenaje linfático,aromaterapia,piedras calientes,ayurveda,termal,'
    'baño turco,baño de vapor,hidromasaje,hidroterapia,circuito hidrotermal,balneoterapia,talasoterapia,chocolaterapia,vinoterapia,flotarium,'
    'piscina climatizada,aguas medicinales,estrés,estresado,estresada,desestresarse,desconectar,descansar cuerpo,relajante,relajada,mimarse,'
    'acupuntura,terapias naturales,holístico,envoltura corporal,exfoliación corporal,pies cansados',
    'massatgistes,quiromassatge,quiromassatgista,descontracturant,drenatge limfàtic,pedres calentes,bany turc,bany de vapor,hidromassatge,'
    'circuit d''aigües,talassoteràpia,xocolatateràpia,piscina climatitzada,estressat,estressada,desestressar-se,desconnectar,relaxant,mimar-se,'
    'cuidar-se cos,teràpies naturals,holístic,peus cansats',
    'massages,masseur,deep tissue,hot stone,hot stones,reflexology,lymphatic drainage,aromatherapy,thermal pools,thermal waters,turkish bath,'
    'arab baths,steam room,steam bath,hot tub,hydrotherapy,heated pool,float tank,stress,stressed,unwind,relaxing,relaxation,pamper,body scrub,'
    'body wrap,acupuncture,knots in my back'),
  ('nails',
    'manicurista,semipermanente,esmaltado,pintauñas,polygel,acrigel,cutículas,manos bonitas,manos y pies,pies bonitos,arreglo de pies,'
    'durezas pies,callos pies,talones agrietados,parafina manos,onicofagia,shellac',
    'ungla,manicures,esmalt,semipermanent,esmaltat,pintaungles,cutícules,mans i peus,mans boniques,peus bonics,arreglar peus,dureses peus,'
    'durícies,ulls de poll,talons clivellats',
    'mani pedi,pedicures,gel polish,french tips,dip powder,biab,infills,cuticles,cuticle,toenails,toes done,toes painted,hands and feet,feet done,'
    'rough feet,hard skin feet,calluses,cracked heels,remove gel'),
  ('education',
    'profesor,profesora,enseñanza,aprendizaje,colegio,alumno',
    'professor,professora,ensenyament,aprenentatge,col·legi,alumne',
    'teacher,teach,teaching,academy,education,student'),
  ('language-schools',
    'clases de italiano,clases de portugués,clases de chino,clases de japonés,clases de árabe,clases de ruso,clases de español,curso de español,'
    'curso de italiano,español para extranjeros,aprender español,aprender italiano,aprender chino,aprender catalán,curso de catalán,'
    'curso de euskera,lengua extranjera,lengua de signos,profesor nativo,bilingüe,vocabulario,pronunciación,b1,b2,c1,first certificate,toefl,'
    'ielts,toeic,aptis,dele,delf,inmersión lingüística,estudiar en el extranjero,curso en el extranjero,examen cambridge,título cambridge,'
    'aprender portugués,profesora nativa',
    'llengües,classes d''italià,classes de portuguès,classes de xinès,classes de japonès,classes d''àrab,classes de rus,classes de català,'
    'classes de castellà,classes d''espanyol,curs de català,curs d''italià,aprendre català,aprendre castellà,aprendre espanyol,'
    'català per a estrangers,llengua estrangera,llengua de signes,parlar català,conversa en català,voluntariat lingüístic,professor nadiu,'
    'gramàtica,vocabulari,pronunciació,immersió lingüística,estudiar a l''estranger,aprendre portuguès',
    'language,spanish lessons,spanish classes,spanish course,spanish school,spanish teacher,study spanish,improve my spanish,speak spanish,'
    'spanish for beginners,catalan lessons,catalan classes,learn catalan,learn italian,italian lessons,portuguese lessons,chinese lessons,'
    'japanese lessons,arabic lessons,russian lessons,native speaker,native teacher,conversation class,conversation practice,speaking practice,'
    'bilingual,grammar,vocabulary,pronunciation,cambridge exam,immersion course,study abroad,learn mandarin,learn portuguese'),
  ('tutoring',
    'profe,profesora particular,repasar,clases de apoyo,apoyo escolar,deberes,centro de estudios,refuerzo,clases de física,química,álgebra,'
    'clases de lengua,clases de biología,clases de economía,clases de estadística,clases de programación,asignatura,suspender,suspendido,suspenso,'
    'suspende,aprobar examen,aprobar curso,preparar examen,malas notas,sacar buenas notas,selectividad,evau,ebau,acceso a la universidad,'
    'mayores de 25,oposiciones,opositar,opositor,secundaria,bachillerato,bachiller,graduado escolar,formación profesional,ciclos formativos,'
    'pedagogo,pedagoga,psicopedagoga,logopeda,logopedia,dislexia,ayuda hijo colegio,clases mates,niños primaria,examen pau',
    'professora particular,mestre particular,mestra particular,classes de repàs,repassar,suport escolar,deures,centre d''estudis,'
    'classes de física,classes de llengua,classes de biologia,classes d''economia,classes d''estadística,assignatura,assignatures,suspendre,'
    'suspès,suspesa,aprovar examen,aprovar curs,males notes,bones notes,selectivitat,accés a la universitat,majors de 25,oposició,batxillerat,'
    'graduat escolar,formació professional,pedagog,classes mates,nens primària,proves pau',
    'tutoring,private lessons,private classes,private teacher,school help,extra lessons,revision classes,exam revision,exam preparation,exam prep,'
    'mathematics,calculus,physics,chemistry,biology lessons,coding classes,subjects,failed exam,fail exam,pass exam,grades,gcse,sat prep,'
    'university entrance,college prep,study skills,dyslexia,speech therapist,coaching exams,civil service exams,university exam'),
  ('music-schools',
    'academia de música,profesor de música,profesora de música,conservatorio,solfeo,lenguaje musical,instrumento,pianista,guitarrista,baterista,'
    'saxofón,saxo,trompeta,trombón,clarinete,oboe,violonchelo,chelo,viola,arpa,acordeón,ukelele,cajón flamenco,percusión,clases de teclado,'
    'armónica,gaita,cantar,técnica vocal,profesor de canto,coro,coral,partitura,banda de música,iniciación musical,musicoterapia,'
    'música para bebés,producción musical,componer canciones,clases de baile,escuela de baile,academia de baile,clases de salsa,clases de bachata,'
    'clases de ballet,escuela de danza,aprender bailar,clases flauta,tocar flauta,flauta travesera,tocar tambor,clases bajo eléctrico',
    'professor de música,professora de música,conservatori,solfeig,llenguatge musical,instrument,trombó,clarinet,violoncel,acordió,ukulele,'
    'percussió,classes de teclat,harmònica,gralla,sac de gemecs,partitures,sensibilització musical,música per a nadons,classes de ball,'
    'escola de ball,acadèmia de ball,classes de ballet,escola de dansa,aprendre ballar,classes flauta,flauta travessera,tocar dolçaina,'
    'tocar tenora,classes baix elèctric',
    'music classes,music teacher,music academy,music theory,sight reading,guitar,drums,cello,flute,saxophone,sax,trumpet,trombone,harp,accordion,'
    'percussion,keyboard lessons,sing,singing,voice coach,vocal coach,choir,sheet music,band practice,rehearsal room,music production,baby music,'
    'dance classes,dance lessons,dance school,salsa lessons,learn to dance,music conservatory'),
  ('driving-schools',
    'auto escuela,sacar carnet,sacar el carné,carnet de moto,carnet de camión,carnet de autobús,carnet a2,carnet a1,carnet remolque,'
    'permiso de conducción,licencia ciclomotor,conducir,conductor novel,manejar,clases de manejo,prácticas de coche,examen práctico,teórico,'
    'examen coche,dgt,jefatura de tráfico,código de circulación,normas de tráfico,señales de tráfico,puntos del carnet,recuperar puntos,'
    'recuperar carnet,renovar carnet,renovar permiso,canje permiso,psicotécnico,certificado médico carnet,aparcar aprender,curso cap,tacógrafo,'
    'mercancías peligrosas,carretillero,carnet carretilla',
    'auto escola,autoescoles,carnet de cotxe,carnet de camió,traure''s el carnet,llicència ciclomotor,conduir,conductor novell,'
    'aprendre a portar cotxe,pràctiques de cotxe,examen pràctic,teòric,examen cotxe,trànsit examen,codi de circulació,normes de trànsit,'
    'senyals de trànsit,punts del carnet,recuperar punts,renovar permís,bescanvi permís,psicotècnic,certificat mèdic carnet,aparcar aprendre,'
    'curs cap,tacògraf,mercaderies perilloses,carretoner',
    'driver''s license,drivers licence,driving,drive lessons,learning to drive,learner driver,theory test,theory exam,practical test,road test,'
    'drive a car,motorcycle licence,motorcycle license,motorbike licence,truck licence,hgv,lorry licence,exchange licence,exchange license,'
    'renew licence,renew license,highway code,traffic signs,road signs,penalty points,points licence,learn to park,parallel parking,'
    'nervous driver,automatic lessons,drivers ed,driver education,forklift licence'),
  ('eventservices',
    'comunión,bautizo,despedida de soltera,despedida de soltero,cumple,baby shower',
    'comunió,bateig,comiat de soltera,comiat de solter,festa infantil,festa sorpresa,festa d''empresa,organitzar festa',
    'party planner,communion,christening,baptism,hen party,stag party,bachelorette,bachelor party,surprise party,kids party,company party,birthday'),
  ('photographers',
    'fotógrafa,fotográfico,sesión fotográfica,sesión embarazo,retratista,álbum,vídeo,grabar boda,videógrafo,dron,recién nacido,newborn,revelar,'
    'revelado,polaroid,fotomatón,photocall,orlas',
    'fotografies,fotogràfic,sessió fotogràfica,sessió embaràs,reportatge,gravar boda,videògraf,nounat,revelatge,revelat,fotomató',
    'photograph,picture,pictures,pics,photoshoot,maternity shoot,engagement shoot,headshot,videographer,videography,film a wedding,drone,'
    'film roll,develop film,film developing'),
  ('weddings',
    'nupcial,nupcias,ceremonia,contraer matrimonio,vestido de novia,traje de novio,tienda de novias,futuros novios,tocado de novia,pedida de mano,'
    'pedir matrimonio,anillo de compromiso,prometida,prometido,alianzas,luna de miel,damas de honor,casamiento,renovar votos',
    'noces,cerimònia,mestre de cerimònies,núvia,nuvi,anell de compromís,prometatge,demanar matrimoni,aliances,lluna de mel,dames d''honor',
    'bridal,bride,brides,bridesmaids,fiance,fiancee,engaged,engagement,marriage,marry,elope,elopement,ceremony,vows,honeymoon,nuptials'),
  ('catering',
    'banquete,canapés,canapé,coffee break,picoteo fiesta,picoteo cumpleaños,bandejas de comida,chef a domicilio,chef privado,chef particular,'
    'cocinero a domicilio,cocinero privado,cocinero fiesta,camareros evento,camareros fiesta,paella a domicilio,paella gigante,paella para grupos,'
    'barbacoa a domicilio,food truck,comida fiesta,comida boda,comida comunión,comida bautizo,comida cumpleaños,comida empresa,comida oficina,'
    'comida para muchos,comida por encargo,encargar comida,comida para llevar,comida preparada,platos preparados,reparto de comida,'
    'traer comida casa,cóctel de bienvenida,cóctel empresa,barra libre evento,mesa dulce,candy bar,cortador de jamón,alquiler de vajilla,'
    'mantelería,desayunos empresa,buffet fiesta,buffet evento,buffet boda,alquiler menaje',
    'piscolabis,safates de menjar,xef a domicili,xef privat,cuiner a domicili,cuiner privat,cambrers esdeveniment,cambrers festa,'
    'paella a domicili,paella gegant,paella per a grups,barbacoa a domicili,menjar festa,menjar casament,menjar comunió,menjar bateig,'
    'menjar aniversari,menjar empresa,menjar oficina,menjar per encàrrec,encarregar menjar,menjar per emportar,menjar preparat,menjar a domicili,'
    'plats preparats,plats cuinats,rostisseria,còctel de benvinguda,aperitiu festa,barra lliure,taula dolça,tallador de pernil,'
    'lloguer de vaixella,bufet festa,bufet esdeveniment,bufet casament',
    'catered,finger food,finger buffet,party food,wedding food,birthday food,office lunch,platters,private chef,personal chef,hire a chef,'
    'chef at home,cook for party,waiters for party,waiting staff,bartender hire,open bar event,paella party,food delivery,deliver food,'
    'take away food,food for 50 people,ready meals,feed guests,dessert table,tableware hire,crockery hire,welcome drinks,buffet party,buffet event'),
  ('financialservices',
    'financiero,financiera,dinero,economía personal',
    'financer,financera',
    'financial'),
  ('insurance',
    'asegurar,asegurado,asegurarse,póliza,siniestro,parte de accidente,dar parte,parte amistoso,perito,peritaje,indemnización,todo riesgo,'
    'a terceros coche,decesos,impago alquiler,responsabilidad civil,mutua,mutualidad,asistencia en carretera,accidente coche,robo en casa,'
    'daños por agua,plan de pensiones,ahorro jubilación,mapfre',
    'assegurador,asseguradora,assegurar,assegurat,sinistre,sinistres,comunicat d''accident,donar part,indemnització,tot risc,a tercers cotxe,'
    'decessos,impagament lloguer,responsabilitat civil,mutualitat,assistència en carretera,accident cotxe,robatori a casa,danys per aigua,'
    'pla de pensions,estalvi jubilació',
    'insure,insured,policy,policies,claim,underwriter,third party,fully comprehensive,funeral plan,loss adjuster,compensation accident,'
    'car accident,water damage,private healthcare,private cover'),
  ('tax-advisors',
    'asesoría,asesor,asesora,gestora,fiscalista,fiscal,economista,auditor,auditoría,contables,laboral,graduado social,hacienda,agencia tributaria,'
    'tributario,declaración,declarar,iva,irpf,modelo 303,modelo 130,modelo 720,modelo 210,trimestre,trimestral,factura,facturar,facturación,'
    'verifactu,autónoma,freelance,emprender,emprendedor,crear empresa,montar negocio,abrir negocio,constituir sociedad,sociedad limitada,crear sl,'
    'pyme,pymes,nómina,contratar empleado,contratar trabajador,finiquito,seguridad social,plusvalía,deducción,desgravar,no residentes,nie,'
    'certificado digital,firma digital,papeleo,trámite,trámites,subvención,cambio de nombre coche,transferencia vehículo,matricular coche,'
    'cuentas anuales,registro mercantil,contabilizar,ley beckham,arreglar papeles',
    'assessoria,assessories,assessor,assessora,gestories,comptables,comptabilitat,graduat social,hisenda,tributari,tributs,impost,declaració,igi,'
    'model 303,model 130,factures,facturació,emprendre,emprenedor,muntar empresa,muntar negoci,obrir negoci,constituir societat,societat limitada,'
    'pime,pimes,nòmines,contractar treballador,quitança,seguretat social,plusvàlua,deducció,certificat digital,signatura digital,paperassa,'
    'subvenció,canvi de nom cotxe,matricular cotxe,comptes anuals,registre mercantil,arreglar papers,llei beckham',
    'taxman,capital gains,beckham law,accountancy,accounting,accounts,bookkeeper,cpa,audit,vat,quarterly,invoice,invoices,invoicing,self employed,'
    'freelancer,sole trader,start a company,open a business,set up company,company formation,limited company,incorporation,payroll,payslip,'
    'hire employee,social security,paperwork,red tape,digital certificate,deductions,deductible,car registration,register car'),
  ('food',
    'supermercado,súper,comestibles,mercado,algo rico',
    'supermercat,queviures,mercat',
    'supermarket,grocery,food shop,food store,food market,buy food'),
  ('bakeries',
    'panadero,panadera,panecillo,pastelero,pastelera,confitería,confitero,repostero,repostera,obrador,tahona,hogaza,baguette,chapata,mollete,'
    'molletes,masa madre,harina,levadura,brioche,cruasán,croissant,bollo,ensaimada,magdalenas,muffins,donut,rosquillas,churros,hojaldre,milhojas,'
    'bizcocho,galleta,pastelitos,cupcake,cupcakes,macarons,profiteroles,chocolate,dulce,dulces,goloso,golosa,postre,postres,roscón,turrón,'
    'polvorones,mazapán,mantecados,torrijas,buñuelos,pestiños,huesos de santo,mona de pascua,empanada,empanadillas,coca salada,brazo de gitano,'
    'caja bombones',
    'forner,fornera,flequer,flequera,fleques,panet,llonguet,xapata,baguet,massa mare,pastisser,pastissera,pastisseries,rebosteria,brioix,brioixos,'
    'xuixo,ensaïmades,magdalenes,rosquilles,rosquilletes,bunyols,xurros,pasta de full,milfulls,galetes,carquinyolis,rosegons,pastís,pastissets,'
    'mona de pasqua,tortell de reis,braç de gitano,coca de sant joan,coca de recapte,coca de vidre,coca de llardons,coca amb tonyina,coques,'
    'panellets,crespells,robiols,cocarrois,panades,panada,quarto embatumat,bescuit,fartons,rotllets,torrons,neules,xocolata,dolç,dolços,'
    'alguna cosa dolça,llaminer,llaminera,caixa bombons,tortell nata,tortada ametla',
    'bakeries,baguettes,loaf,loaves,sourdough,buns,pastries,patisserie,cake,cheesecake,doughnut,cookies,cookie,biscuits,brownies,brownie,tart,'
    'tartlets,sweets,dessert,confectionery,confectioner,chocolates,nougat,marzipan,flour,yeast,bake,baked,baking,bagel,apple pie,meat pie'),
  ('coffee',
    'cafelito,cafetito,cafecito,cafés,descafeinado,cafeína,capuchino,cappuccino,expreso,espresso,latte,macchiato,mocca,carajillo,flat white,'
    'barista,infusión,tila,poleo,matcha,chai,rooibos,chocolate caliente,chocolate a la taza,churros,churrería,chocolatería,colacao,tostada,'
    'pan con tomate,zumo,smoothie,smoothies,brunch,tortitas,croissant,merendola,media mañana,trabajar con portátil,wifi trabajar,kombucha,cafetín,'
    'batido chocolate,batido frutas,chocolate porras',
    'cafetó,cafeteries,descafeïnat,caputxino,cigaló,infusió,til·la,xocolata calenta,xocolata desfeta,xocolateria,suís,melindros,xurros,xurreria,'
    'cacaolat,pa amb tomàquet,suc,desdejunar,desdejuni,treballar amb portàtil,wifi treballar,batut xocolata,batut maduixa',
    'coffees,lattes,mocha,cold brew,decaf,caffeine,roastery,roaster,cuppa,tearoom,boba,hot chocolate,brekkie,full english,pancakes,toast,juice,'
    'juices,scones,bagel,laptop friendly,wifi work,place to work laptop,teapot'),
  ('ice-cream',
    'heladero,heladera,heladito,cucurucho,tarrina,barquillo,sorbete,sorbetes,granizada,horchatería,chufa,fartons,leche merengada,leche preparada,'
    'agua limón,frozen yogurt,tarta helada,polo de hielo,stracciatella,milkshake,banana split,gofre,gofres,crepe,crepes,algo fresquito,'
    'algo frío dulce,antojo dulce,postre,slush,batido chocolate,batido fresa,batido vainilla',
    'gelateries,gelater,gelatet,cucurutxo,granissat,granissada,orxateria,orxateries,xufa,xufes,llet merengada,llet preparada,aigua llimó,'
    'aigua civada,pol de gel,alguna cosa fresca,postres,batut xocolata,batut maduixa,batut vainilla',
    'icecream,cone,cones,scoop,sundae,sundaes,granita,slushie,slushy,frozen yoghurt,froyo,popsicle,popsicles,ice lollies,lolly,soft serve,'
    'milkshakes,tiger nuts,waffle,waffles,dessert,sweet treat,cool down treat'),
  ('delicatessen',
    'delicatessen,delicatesen,charcutero,charcutera,quesero,manchego,roquefort,brie,jamonería,bellota,lomo embuchado,cecina,chorizo,salchichón,'
    'fuet,longaniza,morcilla,butifarra,sobrasada,mortadela,fiambre,fiambres,salchicha,panceta,paté,patés,foie,anchoas,conservas,bacalao salado,'
    'mojama,salazones,ahumados,aceite de oliva,aceitunas,encurtidos,azafrán,pimentón,especias,frutos secos,a granel,legumbres,trufa negra,'
    'productos locales,cesta de navidad,lote navidad,tienda de comestibles,mantequería,carnicería,carnicero,carnicera,loncha,miel artesana,'
    'miel romero,tarro miel,paletilla ibérica',
    'xarcuter,xarcutera,xarcuteries,formatgeries,formatger,formatgera,formatge,pernil,ibèrics,cuixot,xoriç,xoriço,espetec,llonganissa,'
    'llonganisses,secallona,botifarra,botifarres,botifarró,bull blanc,bull negre,blanquet,donja,bringuera,sobrassada,sobrassades,camaiot,'
    'cansalada,cansalader,cansaladeria,salsitxes,anxoves,anxova,seitons,bacallà,bacallaneria,pesca salada,moixama,salaons,salmó fumat,'
    'oli d''oliva,envinagrats,safrà,pebre roig,fruits secs,llegums,tòfona,quilòmetre zero,cistella de nadal,lot de nadal,panera de nadal,'
    'queviures,ultramarins,carnisseria,carnisser,carnissera,mel artesana,mel romaní,pot mel,peix fumat,conserves peix,espècies cuina',
    'fine foods,cheeses,cheesemonger,charcuterie,cured meat,salami,sausage,sausages,black pudding,anchovies,tinned fish,canned seafood,'
    'smoked salmon,salt cod,olives,olive oil,pickles,saffron,paprika,spices,nuts,truffle oil,local produce,local products,food souvenirs,'
    'food gifts,hamper,gift basket,artisan food,butcher,sliced meat,specialty foods,speciality foods,local honey'),
  ('health',
    'doctora,ambulatorio,enfermera,enfermero,pediatra,ginecólogo,dermatólogo,fiebre,gripe',
    'metges,centre mèdic,ambulatori,infermera,infermer,ginecòleg,dermatòleg,febre,urgències mèdiques',
    'gp,emergency room,nurse,paediatrician,pediatrician,gynaecologist,gynecologist,dermatologist,fever,flu'),
  ('dentists',
    'odontóloga,ortodoncista,endodoncista,periodoncista,implantólogo,odontopediatra,sacamuelas,diente,cordales,duele boca,dolor boca,encía,'
    'gingivitis,periodontitis,piorrea,flemón,infección boca,absceso,cara hinchada,mal aliento,halitosis,sarro,bucodental,bucal,empastes,empastar,'
    'matar nervio,dentadura,implante,implantes,implantología,carillas,blanqueamiento,invisalign,alineadores,retenedor,férula,bruxismo,mandíbula,'
    'sonrisa,dentición,maxilofacial,ortopantomografía',
    'implantòleg,odontopediatre,mal boca,mal geniva,sagnen genives,genives inflamades,flegmó,infecció boca,abscés,cara inflada,mal alè,'
    'neteja de boca,matar nervi,endodòncies,blanquejament,retenidor,bruxisme,somriure,maxil·lofacial,geniva inflamada,geniva sang,genives sang',
    'orthodontics,endodontist,periodontist,hygienist,oral surgeon,oral hygiene,denturist,teeth,cavity,cavities,crown fell out,veneer,denture,'
    'dentures,root canal,abscess,gum,swollen face,mouth pain,mouth hurts,bad breath,plaque,tartar,scale and polish,whitening,aligners,brace,'
    'retainer,mouth guard,night guard,bruxism,jaw,molar,smile,floss'),
  ('physical-therapy',
    'fisioterapéutico,quiropráctico,quiropráctica,kinesiólogo,kinesiología,readaptador,masaje terapéutico,masaje descontracturante,terapia manual,'
    'cuello,espalda,cervical,lumbar,lumbago,lumbalgia,ciática,nervio ciático,hernia,tortícolis,pinzamiento,escoliosis,postura,vértebras,rodilla,'
    'menisco,ligamento,duele hombro,dolor hombro,manguito rotador,codo de tenista,duele codo,duele muñeca,dolor muñeca,túnel carpiano,cadera,'
    'tobillo,torcedura,esguince,esguinces,duele pie,dolor pie,duelen pies,fascitis,espolón,duele pierna,duelen piernas,gemelos cargados,'
    'piernas cargadas,duele brazo,dolor brazo,duele cuerpo,dolor cuerpo,duele mano,dolor mano,duele pecho costilla,migraña,jaqueca,dolor cabeza,'
    'duele cabeza,vértigos,músculo,muscular,agujetas,tirón,rotura de fibras,rotura fibrilar,tendinitis,tendón,artrosis,artritis,bursitis,'
    'contracturado,contracturada,agarrotado,lesión,lesionado,lesionada,lesionarse,recuperarse operación,recuperación operación,posparto,diástasis,'
    'incontinencia,punción seca,electroterapia,kinesiotape,vendaje,ondas de choque,drenaje linfático,acupuntura,fibromialgia,ictus,fractura,'
    'caída duele,dolor crónico,neurológica,hombro congelado,mandíbula,hombro dislocado,dolor codo,calambre pierna,calambres piernas,'
    'nervio pinzado,duelen brazos,duelen manos,duele costado',
    'fisioterapeutes,osteòpates,quiropràctic,kinesiòleg,massatge terapèutic,massatge descontracturant,dolor coll,esquena,nervi ciàtic,'
    'columna vertebral,vèrtebres,genoll,lligament,dolor espatlla,colze,dolor canell,túnel carpià,maluc,turmell,esquinç,esquinços,esperó taló,'
    'cames carregades,bessons carregats,costelles adolorides,migranya,migranyes,mal cap,vertígens,múscul,agulletes,trencament fibres,'
    'trencament fibril·lar,articulació,articulacions,contracturat,encarcarat,rígid coll,lesió,lesionat,lesionar-se,recuperar-se operació,postpart,'
    'punció seca,embenat,ones de xoc,drenatge limfàtic,dolor crònic,adolorit,adolorida,coll bloquejat,espatlla dislocada,dolor peu,dolor cama,'
    'dolor braç,nervi pinçat,rampa cama,tendó inflamat',
    'physiotherapy,osteopathy,chiropractor,chiropractic,rehabilitation,manual therapy,sports therapist,deep tissue massage,neck,back hurts,'
    'bad back,sore back,back ache,backache,lower back,upper back,my back is stuck,back locked,back went out,threw out my back,slipped disc,'
    'herniated disc,spine,spinal,sciatica,sciatic nerve,scoliosis,posture,knee,knees,meniscus,ligament,acl,shoulder,rotator cuff,elbow,wrist,'
    'carpal tunnel,hips,ankle,ankles,sprained,sprain,foot pain,foot hurts,feet hurt,sore feet,heel pain,plantar fasciitis,leg pain,leg hurts,'
    'arm pain,arm hurts,body aches,aching body,everything hurts,joint pain,headache,headaches,head hurts,migraine,migraines,muscle,muscles sore,'
    'aching muscles,hamstring,calf pain,calf strain,cramp,tight muscles,tendonitis,arthritis,osteoarthritis,stiff,stiffness,injury,injured,'
    'recovery surgery,pelvic floor,postnatal,incontinence,dry needling,cupping,kinesio tape,shockwave,ultrasound therapy,lymphatic drainage,'
    'acupuncture,fibromyalgia,stroke recovery,fracture,chronic pain,jaw pain,hands hurt'),
  ('psychologists',
    'psico,psicoterapia,psicoterapeuta,psicoanalista,psicoanálisis,psiquiatra,psiquiatría,neuropsicólogo,ayuda psicológica,psicológico,mental,'
    'coach personal,coaching,consejero de pareja,problemas de pareja,crisis de pareja,separación pareja,ruptura pareja,desamor,infidelidad,celos,'
    'discutimos mucho,ansioso,ansiosa,pánico,angustia,agobio,agobiado,agobiada,estrés,estresado,estresada,burnout,deprimido,deprimida,depre,'
    'triste,tristeza,llorar,apatía,me siento solo,hablar con alguien,autoestima,inseguridad,timidez,miedo volar,fobia,obsesión,obsesivo,tdah,'
    'hiperactividad,hiperactivo,autismo,trastorno,bipolar,trauma,emdr,insomnio,pesadillas,superar duelo,superar muerte,pérdida familiar,adicción,'
    'ludopatía,dejar de fumar,anorexia,bulimia,atracones,acoso escolar,bullying,maltrato,emociones,emocional,sexólogo,sexóloga,sexología,hipnosis,'
    'mindfulness,crisis existencial,desahogarse,conducta niño,rabietas,ira control,problema alcohol,dejar alcohol,dejar beber',
    'psicòlogues,psiquiatre,neuropsicòleg,ajuda psicològica,psicològic,teràpies,problemes de parella,crisi de parella,ruptura parella,'
    'separació parella,infidelitat,depressió,ansiós,pànic,angoixat,angoixada,atabalat,atabalada,estressat,estressada,deprimit,trist,trista,'
    'tristesa,plorar,soledat,em sento sol,parlar amb algú,inseguretat,timidesa,fòbies,obsessió,obsessiu,hiperactivitat,hiperactiu,trastorn,'
    'traumes,insomni,malsons,dol familiar,superar dol,superar mort,addicció,addiccions,deixar de fumar,assetjament escolar,maltractament,sexòleg,'
    'desfogar-se,conducta nen,rebequeries,deixar alcohol,deixar beure,gelosia parella',
    'psychotherapy,psychotherapist,shrink,psychoanalyst,psychiatrist,psychiatry,counselor,counseling,emotions,emotional,talk to someone,'
    'marriage problems,relationship problems,relationship advice,breakup,broken heart,heartbroken,jealousy,cheating partner,anxious,overwhelmed,'
    'stress,stressed,depression,depressed,feeling down,feeling low,sad,sadness,crying,cry,lonely,loneliness,hopeless,self esteem,'
    'confidence issues,shyness,phobia,fears,ocd,adhd,autism,disorder,ptsd,cbt,insomnia,nightmares,grief,grieving,bereavement,addiction,'
    'quit smoking,stop smoking,binge eating,abuse,anger,sexologist,hypnosis,hypnotherapy,life coach,mood swings,child behaviour,drinking problem,'
    'alcohol problem,stop drinking'),
  ('opticians',
    'óptico,optometrista,optometría,oftalmólogo,oftalmóloga,oftalmología,contactólogo,gafitas,anteojos,espejuelos,antiparras,progresivas,'
    'progresivos,bifocales,cristales graduados,montura,dioptrías,miopía,miope,astigmatismo,hipermetropía,presbicia,borroso,borrosa,veo mal,'
    'veo doble,letra pequeña,examen visual,visión,agudeza visual,terapia visual,daltónico,daltonismo,ojo,cataratas,glaucoma,ocular,retina,bizco,'
    'estrabismo,ray ban,polarizadas,audífono,audiología,audioprotesista,audiometría,sordo,sordera,oigo mal,oír mal,prueba de audición,'
    'lentes graduados,lentes sol',
    'òptiques,òptic,oftalmòleg,progressives,progressius,vidres graduats,muntura,muntures,diòptries,miop,astigmatisme,borrós,veig malament,'
    'hi veig doble,lletra petita,visió,agudesa visual,daltònic,daltonisme,ull,cataractes,guenyo,estrabisme,polaritzades,audiòfon,audífon,sord,'
    'sordesa,prova d''audició',
    'optometry,ophthalmologist,oculist,eyesight,sight test,blurry,blurred,shortsighted,near sighted,nearsighted,longsighted,farsighted,myopia,'
    'astigmatism,presbyopia,colour blind,color blind,spectacles,specs,eyeglasses,eyewear,sunglasses,varifocals,lenses,lens,eyeglass frames,'
    'polarized,polarised,hearing,audiologist,deaf'),
  ('homeservices',
    'manitas,chapuzas,albañilería,bricolaje,alicatar,azulejos,pladur,pintar casa,pintar paredes,reparaciones casa,arreglos casa',
    'manetes,picapedrer,enrajolar,rajoles,bricolatge,pintar parets,arranjaments casa',
    'home repairs,odd jobs,diy,tiling,plastering,decorator,paint walls,paint house,remodelling,remodeling,refurbishment,bricklayer'),
  ('plumbing',
    'fuga,escape agua,pierde agua,perder agua,pérdida agua,sale agua,agua caliente,cortar agua,gotea,gotear,goteando,gotera,inundación,inundado,'
    'inunda,humedad techo,mancha techo,váter,wáter,inodoro,retrete,lavabo,fregadero,desagüe,bañera,ducha,bidé,bidet,sifón,arqueta,bajante,cañería,'
    'tubo roto,tubo agua,termo,calefacción,radiador,instalador gas,olor gas,huele gas,llave paso,presión agua,contador agua,obstruido,pocero,'
    'fosa séptica,mampara,descalcificador,grifería,bomba agua,lavadora pierde,lavavajillas pierde,desatascador,fontanera,suelo radiante,'
    'cocina inundada',
    'fuita,perd aigua,surt aigua,pèrdua aigua,aigua calenta,degota,degotar,goteja,gotejar,goteig,goteres,inundació,inundat,inodor,pica cuina,'
    'rentamans,desguàs,dutxa,sifó,tub trencat,tub aigua,canonades,baixant,escalfador,calefacció,estufa gas,instal·lador gas,clau pas,'
    'pressió aigua,comptador aigua,embús,embussat,embussada,embossat,embós,atascat,desembús,llanterner,llauner,aixetes,rentadora perd,'
    'rentaplats perd,fossa sèptica,humitat sostre,terra radiant,lampistes,cuina inundada,banyera perd,canviar banyera,aigüera cuina,aigüera perd',
    'plumbing,faucet,dripping,tap broken,kitchen tap,bathroom tap,leaking,leaky,flooded,flooding,flood,pipe,pipework,drain,clogged,unclog,'
    'blockage,toilet,flush,loo,cistern,sink,basin,bathtub,bath tub,shower,sewage,sewer,septic tank,gas smell,gas engineer,gas fitter,stopcock,'
    'heating,radiator,damp ceiling,overflowing,immersion heater'),
  ('electricians',
    'apagón,plomos,diferencial,cortocircuito,corto circuito,chispazo,chispas,interruptor,bombilla,lámpara,focos,leds,iluminación,corriente,cable,'
    'cables,cableado,fusible,fusibles,magnetotérmico,salta automático,boletín,toma tierra,regleta,timbre,telefonillo,videoportero,'
    'portero automático,antena,antenista,domótica,placas solares,paneles solares,punto recarga,cargador coche,ventilador techo,'
    'aire acondicionado instalar,aire acondicionado roto,aire acondicionado funciona,reparar electrodomésticos,vitrocerámica,potencia contratada,'
    'generador,enchufes,termostato,derivación eléctrica,sobrecarga',
    'electricistes,apagada,ploms,curtcircuit,espurna,espurnes,guspira,bombeta,bombetes,làmpada,il·luminació,sense corrent,cablejat,magnetotèrmic,'
    'salta automàtic,presa terra,intèrfon,videoporter,porter automàtic,plaques solars,panells solars,punt recàrrega,carregador cotxe,'
    'ventilador sostre,aire condicionat instal·lar,aire condicionat espatllat,potència contractada,termòstat',
    'electrics,electricity,outage,blackout,power gone,lights out,lights off,flickering,fuse,fuses,fusebox,circuit breaker,breaker trips,'
    'short circuit,sparks,sparking,plug,outlet power,wall outlet,light switch,switch broken,bulb,lamp,light fixture,lighting,ceiling fan,'
    'chandelier,wires,wire,rewire,rewiring,doorbell,intercom,ev charger,charging point,antenna,air conditioning install,air conditioning broken,'
    'aircon broken,thermostat,smart home,generator,circuit trips,tv aerial'),
  ('locksmiths',
    'cerrojo,pestillo,candado,puerta blindada,puerta acorazada,puerta cerrada,puerta atascada,puerta bloqueada,puerta rota,puerta cierra,'
    'puerta abre,abrir casa,entrar casa,entrar piso,quedé fuera,quedamos fuera,encerrado,encerrada,portazo,cierre metálico,persiana metálica,'
    'persiana atascada,caja fuerte,abrir coche,abrir caja,llave,bisagra,pomo,manilla puerta,mirilla,antirrobo,antibumping,amaestramiento,cilindro,'
    'forzar puerta,forzado puerta,robo casa,robado casa,ladrones,reja,verja,abrepuertas,cerrajera,mando garaje,abrir buzón,abrir trastero,'
    'seguridad puerta,bloqueado puerta',
    'forrellat,baldó,cadenat,porta blindada,porta cuirassada,porta tancada,porta encallada,porta bloquejada,porta trencada,porta tanca,porta obre,'
    'obrir casa,entrar pis,tancat fora,tancada fora,quedat fora,quedada fora,cop porta,bombí,caixa forta,obrir cotxe,obrir caixa,obrir bústia,'
    'robatori,robat casa,lladres,forçar porta,espiell,maneta porta,pom porta,frontissa,reixa,reixes,persiana metàl·lica,comandament garatge,'
    'cilindre,antirobatori,manyans,manyeria,panyer,porta seguretat,pestell porta',
    'locked,lockout,shut out,stuck outside,doorknob,unlock house,deadbolt,padlock,latch,keyhole,peephole,hinge,hinges,open safe,burglary,burgled,'
    'burglar,open car,open mailbox,garage remote,roller shutter,metal shutter'),
  ('cleaning',
    'limpiadora,limpiador,limpiar piso,limpiar cristales,limpiacristales,limpiar ventanas,limpiar oficina,asistenta,empleada doméstica,'
    'servicio doméstico,tareas domésticas,tareas casa,casa sucia,piso sucio,mugre,polvo,fregar,barrer,aspirar,aspiradora,plancha ropa,planchadora,'
    'alfombra,limpiar sofá,sofá manchado,moqueta,colchón manchado,limpiar colchón,abrillantar,pulir suelo,desinfección,desinfectar,ozono,'
    'vaciar piso,vaciado pisos,síndrome diógenes,ordenar casa,grafitis,cucarachas,plaga,fumigar,cocina sucia,baño sucio,oficina sucia',
    'netejadora,netejador,netejar pis,netejar vidres,netejar finestres,dona feines,feines casa,feines domèstiques,minyona,casa bruta,pis brut,'
    'pols,rentar plats,escombrar,planxadora,planxa roba,netejar oficina,catifa,catifes,netejar sofà,sofà tacat,matalàs tacat,netejar matalàs,'
    'desinfecció,polir terra,buidar pis,buidatge,endreçar casa,fer dissabte,agranar,paneroles,escarabats,plagues,llimpiesa,cuina bruta,bany brut,'
    'oficina bruta',
    'housekeeper,housekeeping,housework,household chores,domestic help,charwoman,clean flat,clean apartment,clean office,dirty house,messy house,'
    'dust,dusting,hoover,hoovering,vacuum,vacuuming,mopping,mop,sweep floor,clean windows,window washing,windows dirty,iron shirts,iron clothes,'
    'carpet,rug,sofa stain,clean sofa,upholstery,clean mattress,mattress stain,end tenancy,move out clean,spring clean,declutter,disinfection,'
    'disinfect,sanitize,house clearance,floor polishing,tidy house,clean stairs,pest control,cockroaches,fumigation,dirty kitchen,dirty bathroom,'
    'dirty flat,dirty apartment'),
  ('gardening',
    'jardinera,árbol,talar,tala,recortar seto,hierba,hierbajos,desbrozar,desbroce,segar,segadora,cortacésped,riego,regar,macetas,macetero,'
    'sustrato,abono,tierra vegetal,huerto,huerta,palmera,picudo,olivos,rosales,frutales,invernadero,vivero,paisajista,paisajismo,'
    'mantenimiento piscina,limpiar piscina,piscina verde,piscinero,orugas,procesionaria,pulgón,plantar flores,cortar setos,cortar ramas',
    'arbre,arbres,esporgar,esporga,branques,bardissa,tanca vegetal,tanques vegetals,herba,herbes,desbrossar,desbrossada,tallagespa,reg gota,'
    'sistema reg,plantes,torretes,cossiol,terra vegetal,adob,hort,horta,hortet,palmeres,becut,oliveres,fruiters,hivernacle,viver,planter,'
    'paisatgista,paisatgisme,manteniment piscina,netejar piscina,piscina verda,erugues,processionària',
    'yard,backyard,tree,trees,branches,hedge,hedges,grass,mowing,mower,lawnmower,weeds,weeding,overgrown,strimming,pruning,prune,watering,'
    'irrigation,sprinkler,planting,soil,compost,fertilizer,fertiliser,allotment,greenhouse,landscaper,turf,pool maintenance,pool cleaning,'
    'green pool,caterpillars'),
  ('hotelstravel',
    'viaje,viajero,escapada,vacacional,turístico,luna miel',
    'viatge,viatger,turístic,turistes,lluna mel',
    'vacation,getaway,weekend break,weekend away,tourist,honeymoon,city break,traveller,traveler'),
  ('hotels',
    'hotelito,hotelero,albergue,posada,parador,casa rural,turismo rural,agroturismo,camping,bungalow,glamping,apartahotel,aparthotel,'
    'piso turístico,alquiler vacacional,airbnb,suite,cama,alojarse,alojarme,hospedaje,hospedarse,hospedarme,quedarse noche,quedarme noche,'
    'quedarnos noche,dormimos,pernoctar,todo incluido,estancia,motel,resort,peregrinos,albergues,litera,dos noches,tres noches',
    'hotelet,hostalet,alberg,turisme rural,agroturisme,casa pagès,bungalou,apartament turístic,pis turístic,lloguer vacances,cambra,llit,'
    'allotjar-se,hostatge,hostatjar-se,hostatgeria,passar nit,quedar-se nit,dormim,pensió,tot inclòs,esmorzar inclòs,refugi,llitera,finca turisme,'
    'dues nits,tres nits',
    'inn,lodge,lodging,guesthouse,b&b,bnb,holiday apartment,holiday rental,holiday home,vacation rental,vacation apartment,tourist apartment,'
    'holiday let,self catering,campsite,campground,cottage,country house,rural house,chalet ski,mountain hut,bed,dorm,dormitory,spend night,'
    'somewhere sleep,overnight,half board,full board,all inclusive,breakfast included,crash tonight,two nights,three nights'),
  ('tours',
    'guiado,visita ciudad,visitar pueblo,monumentos,museos,ver ciudad,conocer ciudad,conocer pueblo,descubrir ciudad,lugares turísticos,'
    'sitios turísticos,turistear,barco,catamarán,velero,bus turístico,autobús turístico,tren turístico,tuk tuk,segway,visita bodega,'
    'bodegas visitar,cata vinos,enoturismo,casco antiguo,centro histórico,oficina turismo,mirador,audioguía,itinerario,crucero,cruceristas,'
    'circuito turístico,actividades turistas,planes turistas',
    'guiat,visita ciutat,visitar poble,monuments,museus,veure ciutat,conèixer ciutat,conèixer poble,descobrir ciutat,llocs turístics,excursió,'
    'vaixell,golondrines,catamarà,veler,barca passeig,llaüt,visita celler,visitar celler,tast vins,enoturisme,nucli antic,casc antic,barri antic,'
    'centre històric,oficina turisme,itinerari,creuer,volta ciutat,activitats turistes',
    'guided,guides,boat,sailing trip,cruise,wine tasting,winery visit,city walk,see city,see town,explore city,explore town,things do,attractions,'
    'landmarks,museums,old town,tourist information,tourist office,itinerary,viewpoint,skip line tickets'),
  ('localservices',
    'arreglos barrio,comercios barrio',
    'serveis barri,serveis propers,arranjaments barri,comerços barri',
    'local repairs,local trades'),
  ('tailors',
    'dobladillo,acortar,alargar falda,estrechar,entallar,ensanchar ropa,meter cintura,sacar cintura,vestido grande,vestido largo,ropa grande,'
    'pantalones,vaqueros rotos,ropa rota,agujero jersey,remendar,remiendo,parche,parches,zurcir,descosido,descosida,botón,ajustar vestido,'
    'ajustar traje,vestido medida,traje medida,ropa medida,camisas medida,confección,patronaje,patronista,hilo aguja,mercería,sastra,sastrería,'
    'modisto,zurcidora,cortinas,disfraz medida,traje flamenca,hombreras,forro abrigo,compostura,arreglar chaqueta,arreglar vestido,bajo falda,'
    'bajo vestido,bajo vaqueros',
    'escurçar,acurçar,allargar faldilla,estrènyer roba,eixamplar,vestit gran,vestit llarg,roba gran,texans trencats,roba trencada,forat jersei,'
    'estripat,apedaçar,pedaç,pedaços,sargir,sargidora,descosit,costures,botó,cremalleres,ajustar vestit,vestit mida,roba mida,americana arreglar,'
    'confecció,patronatge,fil agulla,vetes fils,sastressa,modistes,cosidores,cortines,indumentària valenciana,folre abric,arreglar vestit,'
    'arreglar jaqueta,vora faldilla,vora vestit',
    'tailoring,tailored,seamstresses,sew,sewn,stitching,stitches jeans,mend,mending,darning,hem,hemming,hemmed,take up pants,take in dress,'
    'take in waist,let out waist,shorten,lengthen,pants too long,jeans too long,dress too long,dress too big,trousers,ripped,torn jacket,'
    'tear jeans,hole jeans,hole sweater,patches,zip,zipper,button,made measure,bespoke,custom suit,adjust dress,fix dress,fix jacket,'
    'clothes repair,altered,alter dress,curtains,lining coat,haberdashery,torn dress,torn coat,torn shirt'),
  ('shoe-repair',
    'zapatera,zapato roto,bota rota,despegado zapato,tapas zapatos,tapillas,cambiar tapas,calzado,coser zapato,coser bolso,bolso roto,'
    'arreglar bolso,arreglar botas,arreglar sandalias,arreglar maleta,maleta rota,cordones,plantillas zapatos,ensanchar zapatos,agrandar zapatos,'
    'zapatos aprietan,horma,teñir zapatos,betún,limpiabotas,limpiar zapatos,cinturón agujero,arreglar cinturón,correa bolso,arreglar cuero,'
    'copia llaves,pilas reloj,afilar cuchillos,afilador,remendón,hebilla,correa reloj',
    'sabatera,sabateria reparació,adobar sabates,sabata trencada,sabates trencades,bota trencada,sola desenganxada,sola trencada,enganxar sola,'
    'taló trencat,calçat trencat,cosir sabata,cosir bossa,bossa trencada,arreglar bossa,arreglar botes,arreglar sandàlies,maleta trencada,'
    'plantilles sabates,eixamplar sabates,sabates estretes,sabates apreten,forma sabates,tenyir sabates,betum,enllustrador,netejar sabates,'
    'cinturó forat,arreglar cinturó,arreglar cuiro,pell bossa,còpia claus,duplicat claus,pila rellotge,esmolar ganivets,esmolador,resolar,'
    'espardenya reparar,avarques arreglar,sivella,ataconador,ataconar,corretja rellotge',
    'shoemaker,shoe,mend shoes,shoes broken,boots repair,fix boots,broken boot,reheel,sole came off,resole,resoling,glue sole,insoles,insole,'
    'shoelaces,laces,stretch shoes,shoes tight,shoes too small,shoeshine,polish shoes,clean shoes,dye shoes,bag repair,fix bag,handbag broken,'
    'handbag strap,suitcase repair,suitcase broken,luggage repair,belt hole,belt holes,fix belt,belt repair,buckle,leather repair,key cutting,'
    'keys cut,watch battery,knife sharpening,sharpen knives,sandals fix'),
  ('phone-repair',
    'móvil,celular,smartphone,ipad,samsung,xiaomi,huawei,android,macbook,imac,pantalla,batería hinchada,batería agotada,batería dura,cargador,'
    'puerto carga,conector carga,desbloquear,desbloqueo,táctil,fundas,cristal templado,pc,virus,malware,hackeado,hackearon,recuperar datos,'
    'perdido fotos,disco duro,ssd,pendrive,copia seguridad,memoria ram,teclado,impresora,router,wifi,internet funciona,consola,playstation,ps5,'
    'xbox,nintendo,joystick,smartwatch,servicio técnico,software,tele rota,reacondicionados,tienda electrónica,instalar windows,televisor,'
    'televisión rota,formatear disco',
    'mòbil,pantalles,bateria inflada,carregador,desbloquejar,fundes,vidre temperat,hackejat,recuperar dades,perdut fotos,disc dur,còpia seguretat,'
    'teclat,impressora,encaminador,servei tècnic,reacondicionat,botiga electrònica,instal·lar windows,formatar disc,tauleta trencada,'
    'tauleta digital',
    'phone,phones,mobile,cellphone,apple repair,screen,battery dies,battery replacement,swollen battery,charger,charging port,wont charge,'
    'notebook repair,hacked,data recovery,recover photos,lost photos,recover data,hard drive,hard disk,usb stick,backup,keyboard,printer,'
    'internet broken,it support,console repair,refurbished,sim card,electronics shop,electronics repair,install windows,tv repair,tv broken'),
  ('laundry',
    'autoservicio lavar,lavadora,secadora,secar ropa,ropa sucia,ropa limpia,ropa mojada,colada,edredón,mantas,lavar nórdico,sábanas,toallas,'
    'cortinas lavar,lavar alfombra,lavar abrigo,abrigo sucio,limpiar traje,limpiar vestido,traje sucio,mancha vino,quitar mancha,quitamanchas,'
    'tintorero,limpiar ropa,limpiar chaqueta,limpieza cuero,planchar,detergente,suavizante,uniformes lavar,mantelería,teñir ropa,plumón,'
    'mancha camisa,mancha vestido,manchas ropa,camisa manchada,vestido manchado,ropa arrugada',
    'autoservei rentar,bugada,assecadora,eixugadora,eixugar roba,secar roba,roba bruta,roba neta,llavar roba,llavadora,safareig,edredó,'
    'rentar nòrdic,mantes,flassada,tovalloles,rentar cortines,rentar catifa,rentar abric,abric brut,netejar vestit,vestit brut,taca vi,'
    'treure taca,tintorer,netejar roba,netejar jaqueta,planxar,detergent,suavitzant,rentadora trencada,uniformes rentar,tenyir roba,'
    'rentadora espatllada,taca camisa,taca vestit,taques roba,camisa tacada,vestit tacat,roba arrugada,posar rentadora,rentadora roba,'
    'rentadora monedes,llençols llit',
    'launderette,laundrette,dry cleaner,dry clean,washing clothes,wash machine,washing machine,washer,dryer,dry clothes,dirty clothes,'
    'clean clothes,wet clothes,duvet,comforter,blankets,bedding,sheets,towels,wash curtains,wash rug,clean suit,clean coat,clean dress,'
    'clean jacket,suit cleaned,wedding dress cleaning,stain,stained,ironing,iron shirts,shirts ironed,steam clothes,creased,fabric softener,'
    'fold clothes,wash fold,leather cleaning,dye clothes,uniforms wash,wash shirts,wash jeans,wrinkled clothes'),
  ('massmedia',
    'prensa,noticias,periodista,periodismo,comunicación local',
    'premsa,notícies,periodisme,comunicació local',
    'press,news,journalist,journalism'),
  ('radio-stations',
    'radiofónico,locutor,locutora,fm,dial,podcast,cuña,radiofórmula,onda media,tertulia,retransmisión partido',
    'emissores,radiofònic,falca,retransmissió partit',
    'broadcaster,broadcasting,broadcast,airtime'),
  ('print-media',
    'prensa,semanario,gaceta,noticias,periodista,quiosco,kiosco,esquela,clasificados,publicar anuncio,editorial,artes gráficas,impresión,impreso,'
    'imprimo,impresora color,fotocopiar,fotocopiadora,copias color,plotter,gran formato,vinilo,lona,pancarta,rótulos,octavillas,dípticos,'
    'trípticos,tarjetas empresa,recordatorios,pegatinas,adhesivos,etiquetas,encuadernar,encuadernación,espiral,plastificar,plastificado,escanear,'
    'escáner,sellos caucho,serigrafía,camisetas personalizadas,tazas personalizadas,papelería',
    'premsa,periòdic,setmanari,gaseta,notícies,quiosc,classificats,publicar anunci,arts gràfiques,impressió,imprès,impremtes,imprimeix,'
    'impressora color,plòter,gran format,lones,rètols,octavetes,díptics,tríptics,fullets,fulletons,targeta visita,targetes empresa,invitacions,'
    'recordatoris,adhesius,enganxines,etiquetes,enquadernar,enquadernació,plastificat,escanejar,samarretes personalitzades,tasses personalitzades,'
    'papereria,vinil tallat',
    'press,local paper,magazines,gazette,news,journalist,newsagent,newsstand,kiosk,classified ads,obituary,publisher,print,printer,printed,'
    'boarding pass,copies,copy centre,photocopy,photocopier,scan document,scanning,scanner,laminate,laminating,bind thesis,book binding,banner,'
    'vinyl,signage,leaflets,brochure,brochures,pamphlets,invitations,stickers,labels,letterhead,large format,custom t-shirts,custom mugs,'
    'stationery'),
  ('nightlife',
    'noctámbulo,juerga,fiestear,tardeo,despedida soltero,despedida soltera,local nocturno,ambiente gay,trasnochar',
    'sortir marxa,gresca,xerinola,tardeig,comiat solter,comiat soltera,local nocturn,ambient gai',
    'nightlife,late night,stag do,hen do,bachelor party,bachelorette,gay scene,pub crawl'),
  ('bars',
    'barecito,tasca,cantina,bodega,bodeguita,chiringuito,terraza,terracita,gastrobar,cervecita,birra,birrita,cañita,botellín,ipa,barril,vinito,'
    'copa,copita,tinto verano,sangría,rebujito,cava,sidra,sidrería,chupito,cubata,ron,whisky,whiskey,ginebra,licor,orujo,pacharán,vermú,vermuteo,'
    'aperitivo,beber,trago,bebida,sed,quedar amigos,fútbol ver,ver partido,partido pantalla,champions ver,futbolín,billar,dardos,karaoke,'
    'bocadillo,bocata,bocadillería,sandwich,hamburguesa,hamburguesería,camarero,refresco,mosto',
    'baret,celler,xiringuito,guingueta,guinguetes,terrasseta,cerveses,cerveseta,birres,canyes,canyeta,vins,xopet,xarrup,cubates,rom,ratafia,'
    'herbes eivissenques,aperitiu,beure,beguda,begudes,quedar amics,partit veure,veure futbol,futbolí,dards,entrepà,entrepans,entrepaneria,'
    'pa fuet,llonguet,esmorzar forquilla,hamburgueses,refresc,cambrer,pa oli,terrassa sol,seure terrassa',
    'taproom,tap room,ale,lager,pint,stout,guinness,cider,booze,alcohol,drinking,get drunk,beverage,thirsty,wine,wines,vermouth,aperitif,rum,gin,'
    'shots,liquor,happy hour,rooftop,terrace,terraces,outdoor seating,watch football,watch match,watch game,watch soccer,football tv,pool table,'
    'billiards,darts,table football,foosball,bartender,barman,burger,hamburger,meet friends,gastropub,saloon'),
  ('cocktail-bars',
    'copas,gin,gintonic,gintonería,ginebra,caipirinha,caipiriña,daiquiri,piña colada,negroni,aperol,spritz,bloody mary,martini,cosmopolitan,'
    'old fashioned,moscow mule,tequila,vodka,ron,bourbon,whisky,mezcal,barman,bartender,coctelero,mixología,coctelera,mocktail,speakeasy,lounge,'
    'chill out,tiki,azotea,rooftop,frozen margarita',
    'copes,cubates,pinya colada,rom,mescal,còcteler',
    'mixed drinks,mixologist,g&t,cosmo drink,long island,rum,whiskey sour,sundowner,fancy drinks,nightcap,highball,margarita drink'),
  ('clubs',
    'baile,bailo,bailamos,bailoteo,reguetón,reggaeton,tecno,techno,house música,electrónica música,salsa,bachata,kizomba,salsoteca,dj,'
    'pinchadiscos,rave,macrofiesta,música ochenta,verbena,drag,lgtb,antro,fiesta noche',
    'discoteques,sala ball,pista ball,sala festes,ballo,ballem,ballaruca,reggaetó,punxadiscos,macrofesta,música vuitanta,revetlla,festa nit,lgtbi',
    'clubbing,discotheque,dancefloor,partying,raves,house music,electronic music,edm,afterparty,guest list,vip table,bottle service,bouncer,lgbt,'
    'eighties music,hip hop night,boogie'),
  ('pets',
    'animalitos,bichos casa,acuario,peces',
    'animalets,pinso,aquari,bestioles',
    'dog food,cat food,furry friend,aquarium,kibble,leash'),
  ('vets',
    'perra,gata,perrito,perrita,gatito,gatita,cachorro,michi,canino,felino,conejo enfermo,conejillo,hámster,cobaya,hurón,tortuga,loro,periquito,'
    'canario enfermo,pájaro,pajarito,exóticos,animal enfermo,animal herido,mascota enferma,mascota mala,garrapata,pulgas,desparasitar,'
    'desparasitación,parásitos,antiparasitario,lombrices,vacunar mascota,cartilla mascota,cartilla vacunación,microchip,chip mascota,'
    'pasaporte mascota,viajar mascota,esterilizar,esterilización,castración,capar,cojea,cojear,pata rota,pezuña,hocico,rabo cortado,'
    'pelo cae mascota,leishmania,leishmaniosis,moquillo,parvovirus,filaria,procesionaria,mordedura,mordido,preñada,parto mascota,eutanasia,'
    'sacrificar,incineración mascotas,urgencias animales,sarna,otitis mascota,pata hinchada,pata herida,duele pata',
    'gossos,gossa,gosset,gosseta,gatet,gateta,moix,moixa,moixos,moixet,cadell,quissó,felí,conill malalt,conillet,cobai,fura,lloro,ocell,ocellet,'
    'exòtics,animal malalt,animal ferit,mascota malalta,paparra,paparres,puces,puça,paràsits,antiparasitari,cucs,microxip,xip,passaport mascota,'
    'viatjar mascota,esterilitzar,esterilització,castració,coixeja,coixejar,pota trencada,processionària,mossegada,mossegat,incineració mascotes,'
    'urgències animals,pinso,pota inflada,pota ferida',
    'veterinary,animal doctor,doggy,doggie,pup,puppies,kitten,kitty,feline,canine,rabbit,bunny,guinea pig,ferret,parrot,budgie,bird,tortoise,'
    'turtle,sick animal,injured animal,sick pet,paw,limping,limp,tick,flea,worming,deworm,deworming,worms,rabies,vaccinate,pet vaccination,'
    'pet vaccine,chip pet,pet passport,travel pet,pet certificate,spay,spayed,spaying,neuter,neutered,neutering,castrate,castration,heat pet,'
    'pregnant pet,bitten,swallowed chocolate,vomiting pet,leishmaniasis,kennel cough,mange,euthanasia,pet cremation,pet emergency,'
    'emergency animal,animal clinic'),
  ('pet-grooming',
    'peluquería gatos,peluquería felina,peluquería mascotas,peluquera canina,bañar gato,lavar gato,cortar pelo gato,cortar uñas gato,'
    'cepillar gato,gato nudos,bañar mascota,lavar mascota,baño mascota,baño canino,esquilar,rapar gato,deslanado,stripping canino,pelaje,'
    'mascota sucia,caniche,caniches,yorkshire,bichón,shih tzu,westie,cocker,schnauzer,pomerania,golden retriever,glándulas anales,spa mascotas,'
    'guardería canina,mascota guapa,antiparasitario baño,bañar perrito,bañar perra,bañar cachorro,lavar perrito,lavar perra,pelar perrito,'
    'cortar pelo perrito,cortar pelo perra,uñas perrito',
    'perruqueria gats,perruqueria felina,perruqueria mascotes,perruquera canina,perruquer caní,banyar gat,rentar gat,tallar pèl gat,raspallar gat,'
    'gat nusos,moix banyar,tallar pèl gos,banyar mascota,rentar mascota,bany mascota,xampú gos,pelar gos,rapar gos,nusos pèl gos,raspallar gos,'
    'pelatge,mascota bruta,gos brut,gos pudent,gos put,bitxó,glàndules anals,spa mascotes,banyar gosset,banyar gossa,banyar cadell,rentar gosset,'
    'rentar gossa,tallar pèl gosset,tallar pèl gossa,pentinar gos',
    'groomer,grooming,puppy cut,poodle,poodles,cockapoo,labradoodle,yorkie,pomeranian,bath dog,dog shampoo,dog nails,clip dog,dog clipping,'
    'dog trim,cut dog hair,dog fur,matted,knots dog,brush dog,smelly dog,dirty dog,muddy dog,shedding,hand stripping,anal glands,wash cat,'
    'cat bath,cat nails,pet spa,pet salon,pet bath,dog spa,doggy daycare,wash puppy,puppy bath,puppy haircut,wash doggy,dog smells,dog stinks'),
  ('professional',
    'profesionales,asesoramiento empresas,consultoría',
    'assessorament empreses',
    'consulting,consultants,business services,consultancy'),
  ('lawyers',
    'abogacía,letrado,letrada,jurista,jurídico,jurídica,legal,procurador,procuradora,penalista,laboralista,matrimonialista,divorciarse,'
    'divorciarme,divorciado,separación,separarme,separarse,custodia,régimen visitas,pensión alimenticia,pensión alimentos,heredar,heredero,'
    'heredado,sucesiones,testar,donación casa,despedido,despedida trabajo,despidieron,despedir,finiquito,indemnización,acoso laboral,mobbing,'
    'trabajo pagan,nóminas impagadas,incapacidad,invalidez,demanda,demandar,demandado,denuncia,denunciar,denunciado,querella,juicio,juzgado,'
    'tribunal,pleito,litigio,citación judicial,sentencia,recurrir,alcoholemia,detenido,calabozo,cárcel,delito,penal,estafa,estafado,estafaron,'
    'maltrato,orden alejamiento,accidente tráfico,accidente coche,accidente laboral,atropello,negligencia médica,reclamar,reclamación,'
    'cláusulas abusivas,contrato revisar,contrato alquiler,inquilino paga,desahucio,okupas,deudas,embargo,embargado,moroso,segunda oportunidad,'
    'concurso acreedores,extranjería,inmigración,nacionalidad,permiso residencia,nie,arraigo,visado,nómada digital,mediador,mediación,arbitraje,'
    'constituir sociedad,capitulaciones,pareja hecho,turno oficio,asilo político,papeles extranjeros,contrato trabajo',
    'advocacia,lletrat,lletrada,jurídic,advocades,divorciar-se,divorciat,separació,separar-me,pensió aliments,heretar,hereu,heretat,successions,'
    'donació casa,acomiadament,acomiadat,acomiadada,acomiadar,despatxat feina,quitança,indemnització,assetjament laboral,incapacitat,invalidesa,'
    'judici,jutjat,jutge,plet,litigi,citació judicial,multes,detingut,delicte,estafat,maltractament,ordre allunyament,accident trànsit,'
    'accident cotxe,accident laboral,atropellament,reclamació,clàusules abusives,contracte lloguer,llogater paga,desnonament,okupes,deutes,'
    'embargament,embargat,morós,segona oportunitat,concurs creditors,estrangeria,immigració,nacionalitat,permís residència,arrelament,mediació,'
    'parella fet,torn ofici,asil polític,papers residència,visat treball,visat residència,contracte revisar,contracte feina',
    'barrister,advocate,law,divorced,divorcing,separation,separated,custody,child support,alimony,prenup,inherited,heir,probate,estate planning,'
    'fired,laid off,dismissal,severance,redundancy,workplace harassment,sue,suing,sued,lawsuit,litigation,court date,compensation,accident claim,'
    'car accident,injury claim,personal injury,medical negligence,malpractice,fine appeal,speeding fine,traffic fine,drink driving,arrested,'
    'police station,jail,prison,criminal,scam,scammed,fraud,restraining order,lease contract,rental contract,eviction,evicted,evict tenant,'
    'squatters,tenant rights,unpaid wages,debt,bankruptcy,immigration,residency,residence permit,citizenship,nationality,digital nomad,asylum,'
    'work permit,golden visa,mediator,mediation,conveyancing,conveyancer,paralegal,dispute,trademark,court case,visa application,residence visa,'
    'work visa,student visa,visa renewal,employment contract,review contract'),
  ('architects',
    'arquitectura,aparejador,aparejadora,interiorista,interiorismo,decorador interiores,diseño interiores,ampliación vivienda,tirar tabique,'
    'tirar pared,distribución piso,rehabilitación edificio,rehabilitar edificio,fachada,licencia obra,permiso obras,licencia actividad,'
    'licencia apertura,cédula habitabilidad,certificación energética,eficiencia energética,ite,inspección edificio,grietas,estructura edificio,'
    'delineante,maqueta edificio,dirección obra,medición terreno,topógrafo,proyecto local,peritaje,informe pericial,legalizar obra,render 3d,'
    'plan urbanístico',
    'aparellador,aparelladora,interiorisme,disseny interiors,fer-se casa,ampliació habitatge,tirar envà,tirar paret,distribució pis,'
    'rehabilitació edifici,rehabilitar edifici,façana,llicència obra,llicència obres,permís obres,llicència activitat,cèdula habitabilitat,'
    'certificació energètica,inspecció edifici,esquerda,esquerdes,clivella,estructura edifici,delineant,maqueta edifici,direcció obra,topògraf,'
    'projecte local,peritatge,legalitzar obra,restaurar masia,pla urbanístic',
    'architectural,interior design,interior designer,design house,build house,building house,new build,self build,house extension,loft conversion,'
    'knock wall,remove wall,floor plan,blueprint,drawings house,planning permission,building permit,building permission,building licence,'
    'building license,works licence,surveyor,building survey,house survey,structural survey,structural engineer,cracks wall,facade,'
    'energy performance,energy rating,epc,energy efficiency,passive house,prefab house,3d rendering,render house,building regulations,'
    'site supervision,draftsman,draughtsman,urban planning,habitability certificate,building project'),
  ('marketing',
    'mercadotecnia,agencia comunicación,diseño,imagen corporativa,identidad corporativa,branding,marca crear,web,tienda online,tienda línea crear,'
    'ecommerce,wordpress,prestashop,shopify,desarrollador,programador,app desarrollar,crear app,hosting,posicionamiento,adwords,anuncios,'
    'publicitario,campaña publicitaria,instagram,facebook,tiktok,linkedin,community manager,influencer,seguidores,redes,newsletter,mailing,'
    'copywriter,redactor,vídeo corporativo,vídeo promocional,ilustrador,ilustradora,ilustración,packaging,catálogo diseñar,rotulación,'
    'relaciones públicas,negocio internet,promocionar negocio,estudio mercado',
    'agència comunicació,disseny,imatge corporativa,identitat corporativa,botiga online,botiga línia,desenvolupador,posicionament,anuncis,'
    'campanya publicitària,xarxes,butlletí digital,vídeo corporatiu,il·lustrador,il·lustradora,il·lustració,catàleg dissenyar,retolació,'
    'relacions públiques',
    'ads,adverts,advertise,promote,promotion,brand identity,brand design,corporate identity,graphics,webpage,websites,site online,online shop,'
    'online store,app development,build app,programmer,domain name,search engine,google ranking,rank google,ppc,followers,content creator,'
    'email campaign,copywriting,illustrator,illustration,brochure design,catalogue design,catalog design,public relations,pr agency,promo video,'
    'corporate video,market research,creative agency,sell online,find customers,find clients'),
  ('publicservices',
    'administración pública,municipal,alcaldía,gobierno local',
    'administració pública,casa vila,govern local',
    'public services,council,city hall,municipality'),
  ('libraries',
    'bibliotecario,bibliotecaria,mediateca,hemeroteca,bibliobús,ludoteca,préstamo libros,sacar libros,libros prestados,devolver libro,leer,'
    'lectura,lectores,cuentacuentos,hora cuento,silencio,sitio tranquilo,aula estudio,wifi,ordenadores públicos,internet gratis,trabajar portátil,'
    'archivo histórico,consultar archivo,películas prestadas',
    'bibliotecari,préstec,demanar llibre prestat,llibres prestats,tornar llibre,llegir,contacontes,hora conte,silenci,lloc tranquil,aula estudi,'
    'ordinadors públics,treballar portàtil,arxiu històric,pel·lícules prestades',
    'librarian,borrow books,book loan,return book,read,reading room,reading group,book club,storytime,story time,archive,archives,studying,'
    'quiet place,silence,free internet,public computers,internet access,coworking,borrow dvds'),
  ('community-centers',
    'casa cultura,casal,centro cultural,centro juvenil,casa juventud,espacio joven,ateneo,asociación,vecinal,vecinos,centro barrio,centro mayores,'
    'jubilados,tercera edad,campamento urbano,extraescolares,manualidades,taller cerámica,taller pintura,taller cocina,ganchillo,ajedrez,bingo,'
    'voluntariado,voluntario,voluntaria,banco alimentos,alquilar sala,sala reuniones,salón actos,local ensayo,ludoteca,conocer gente,hacer amigos,'
    'intercambio idiomas,charla,debate,esplai',
    'centre jove,ateneu,associació,veïnal,veïns,centre barri,jubilats,tercera edat,gent gran,manualitats,taller cuina,ganxet,escacs,voluntariat,'
    'voluntari,banc aliments,llogar sala,sala actes,local assaig,conèixer gent,fer amics,parella lingüística,intercanvi idiomes,xerrada,xerrades,'
    'debat,colla castellera,castellers,sardanes',
    'neighborhood center,neighbourhood centre,youth center,association,neighbours,neighbors,seniors,retired people,activities,workshops,crafts,'
    'pottery class,crochet,knitting group,chess,volunteer,volunteering,charity,food bank,rent hall,hall hire,meeting room,meet people,'
    'make friends,expats,language exchange,talks,summer camp,after school,playgroup,mothers group'),
  ('realestate',
    'apartamentos,inmueble,inmuebles,inmobiliario,vivir alquiler',
    'apartaments,immoble,immobles,habitatges,llar comprar',
    'properties,realty'),
  ('real-estate-agents',
    'agente propiedad,inmobiliario,alquilar local,apartamento comprar,apartamento vender,comprar vivienda,vender vivienda,terreno,parcela,'
    'solar edificable,chalet,chalé,adosado,ático,dúplex,loft,bajo jardín,local comercial,nave industrial,traspaso,plaza garaje,plaza parking,'
    'trastero,obra nueva,segunda residencia,hipoteca,arras,fianza,compraventa,mudarse,mudarme,buscar casa,busco piso,tasar,tasador,'
    'valoración vivienda,inversión inmobiliaria,inversor,dormitorios,idealista,fotocasa,inquilino,propietario',
    'api immobiliari,corredor finques,assessor immobiliari,llogar local,venda cases,comprar apartament,vendre apartament,comprar habitatge,'
    'vendre habitatge,terreny,parcel·la,masia comprar,xalet,adossat,àtic,nau industrial,traspàs,plaça garatge,plaça pàrquing,traster,obra nova,'
    'segona residència,hipoteques,fiança,compravenda,mudar-se,buscar pis,valoració habitatge,inversió immobiliària,dormitoris,llogater,propietari,'
    'finques venda,contracte arres',
    'estate agency,property agent,lettings,buy home,buy flat,buy property,buying house,buy land,buy villa,house sale,flat sale,property sale,'
    'houses sale,sell flat,sell property,selling house,rent house,rent room,rent studio,rent office,long term rental,flat share,flatshare,'
    'shared flat,roommate,penthouse,townhouse,finca,condo,plot,commercial premises,office space,warehouse,business transfer,parking space,'
    'garage rent,storage room,mortgage,mortgages,deposit rent,valuation,appraisal,house worth,home worth,house hunting,flat hunting,relocate,'
    'relocation,move house,moving house,second home,beach house,bedrooms,listings,property investment,investor,tenants,tenancy,lease'),
  ('property-management',
    'administrador,administradora fincas,comunidad,junta vecinos,junta propietarios,acta junta,derrama,vecino moroso,vecino ruidoso,'
    'vecino molesto,ruido vecinos,ascensor,portal edificio,escalera vecinos,zonas comunes,finca urbana,conserje,portero finca,gestión alquileres,'
    'gestión pisos turísticos,gestionar alquiler,gestionar piso,gestión vivienda vacacional,horizontal propiedad,división horizontal',
    'administradora finques,administrar comunitat,gestió comunitats,comunitat propietaris,president comunitat,reunió veïns,junta propietaris,'
    'derrames,quota comunitat,quotes comunitat,veí morós,veí sorollós,soroll veïns,veí molest,escala veïns,zones comunes,conserge,porter finca,'
    'gestió lloguers,gestió pisos turístics,gestionar lloguer,gestionar pis,estatuts comunitat,propietat horitzontal,divisió horitzontal,'
    'secretari comunitat',
    'managing agent,building manager,building management,building administrator,block management,community fees,service charge,condo fees,hoa,'
    'homeowners association,owners association,owners meeting,residents meeting,noisy neighbour,noisy neighbor,neighbour noise,neighbour dispute,'
    'elevator,lift broken,common areas,stairwell,caretaker,janitor,manage rental,rental management,manage flat,manage apartment,manage airbnb,'
    'airbnb management,holiday let management,keyholding,key holding,house sitting,absentee owner,tenant management,rent collection'),
  ('religiousorgs',
    'religioso,religiosa,fieles,culto,rezar,oración,templo,orar',
    'culte,resar,oració,temple,pregar',
    'religious,worship,pray,prayer,praying'),
  ('churches',
    'capilla,basílica,santuario,monasterio,convento,abadía,templo,parroquial,párroco,sacerdote,monja,fraile,obispo,obispado,eucaristía,confesarse,'
    'confesar,confesión,rezar,rosario,bautizo,bautismo,bautizar,comunión,catequesis,funeral,matrimonio religioso,cáritas,evangélica,evangélico,'
    'protestante,católico,católica,anglicana,testigos jehová,dios,biblia,campanario,belén navidad,semana santa,procesión,cofradía,hermandad,'
    'románico',
    'esglésies,capella,ermites,santuari,monestir,convent,temple,mossèn,sacerdot,monges,frare,bisbe,bisbat,pastor evangèlic,horari misses,'
    'confessar-se,confessió,resar,bateig,batejar nadó,baptisme,primera comunió,enterrament,casament religiós,protestant,catòlic,testimonis jehovà,'
    'pessebre,setmana santa,processó,confraria,romànic,comunió nen,comunió nena,batejar fill,batejar filla',
    'chapel,sanctuary,shrine,hermitage,monastery,abbey,priest,vicar,reverend,nun,monk,bishop,diocese,sunday service,sunday worship,eucharist,'
    'confession,confess,pray,prayer,rosary,baptism,baptise,baptize,christening,christen,communion,catechism,sunday school,bible,religious wedding,'
    'catholic,evangelical,anglican,baptist,god,bell tower,nativity,easter service,holy week,procession,romanesque'),
  ('restaurants',
    'menú,cena,comedor,comemos,cenamos,cenita,comilona,hambre,reservar mesa,reserva mesa,mesa terraza,gastronomía,gastronómico,chef,cocinero,'
    'buffet,bufé,postre,postres,sobremesa',
    'menjam,mengem,dinem,sopem fora,àpat,tiberi,fam,tinc gana,reservar taula,reserva taula,gastronòmic,xef,cuiner,bufet lliure',
    'eatery,bistro,eating,meal,dine,supper,brunch,hungry,starving,table two,book table,table booking,reserve table,reservation table,cuisine,'
    'gastronomy,date night,michelin,takeaway,takeout,take away,dessert'),
  ('spanish',
    'mesón,tasca,figón,bodegón,cocina tradicional,comida tradicional,comida típica,platos típicos,comida abuela,menú diario,menú casero,'
    'menú trabajador,plato combinado,plato día,cuchara,cocido,fabada,lentejas,alubias,judías,potaje,puchero,guiso,estofado,gazpacho,salmorejo,'
    'migas,rabo toro,carrillera,codillo,cochinillo,lechazo,cordero,cabrito,asado,chuletón,chuletas,chuletillas,entrecot,solomillo,churrasco,'
    'presa ibérica,parrilla,parrillada,brasa,brasería,barbacoa,pollo ast,tortilla,huevos rotos,croquetas,pimientos,morcilla,embutido,jamón,'
    'arroz leche,flan,torrijas,vino casa,cocina castellana,cocina vasca,cocina gallega,cocina andaluza,cocina asturiana,cachopo,taberna española,'
    'buena carne,costillas cerdo,callos madrileña',
    'casolana,menjar tradicional,cuina tradicional,plats típics,menjar iaia,menjar àvia,menú diari,plat combinat,plat dia,plats cullera,llenties,'
    'mongetes estofades,estofat,guisat,gaspatxo,cua bou,porcell,porcella,garrí,xai,corder,cabrit,rostit,filet,txuletó,xuletó,vedella,brases,'
    'graella,graellada,pollastre ast,truita,ous estrellats,croquetes,pebrots,botifarra,embotit,pernil,arròs llet,flam,vi casa,restaurant espanyol,'
    'menjar espanyol,cuina basca,cuina gallega,cuina andalusa,hostal menjar,fonda menjar,menjar carn,bona carn,carn rostida,costelles porc',
    'spanish dishes,spanish menu,local food,local cuisine,home cooking,home cooked,set menu,menu day,lunch set,stew,lentils,spanish omelette,'
    'croquettes,roast meat,lamb,suckling pig,roast chicken,oxtail,pork,steakhouse,ribeye,sirloin,t-bone,grilled meat,bbq,barbecue,grill,iberico,'
    'chorizo,rice pudding,basque restaurant,spanish wine dinner,meat restaurant,roast dinner'),
  ('tapas',
    'tapita,tapear,tapeando,pinchitos,picoteo,picotear,compartir platos,platillos,montadito,tosta,banderilla,gilda,croqueta,croquetitas,bravas,'
    'ensaladilla,tortilla,boquerones,anchoas,calamares,chocos,chopitos,puntillitas,pulpo gallega,mejillones,gambas ajillo,pimientos padrón,'
    'aceitunas,encurtidos,tabla quesos,tabla ibéricos,tabla embutidos,jamón,chorizo,chistorra,morcilla,torreznos,chicharrones,caracoles,'
    'champiñones,huevos rotos,huevos estrellados,alioli,pan tomate,aperitivo,taberna,cañas,cena informal,mojama,cazón,flamenquín,pescaíto,'
    'morro frito',
    'tapeta,tapetes,tapejar,pinxo,ració,picoteig,compartir plats,platets,torrades,torrada,gildes,banderilles,croquetes,braves,truita patates,'
    'seitons,anxoves,xocos,popets,pop gallega,clòtxines,gambes allet,pebrots padró,olives,envinagrats,taula formatges,taula embotits,pernil,'
    'xoriço,xistorra,botifarra,llardons,caragols,xampinyons,ous estrellats,allioli,pa tomàquet,pa tomata,aperitiu,taverna,sopar informal,'
    'cassoleta,cassoletes,frit variat,morro fregit',
    'small plates,sharing plates,share plates,shared dishes,share food,nibbles,nibble,finger food,light dinner,appetizers,appetisers,croquettes,'
    'spanish omelette,spanish ham,iberico ham,anchovies,calamari,squid rings,octopus,mussels,garlic prawns,padron peppers,cheese board,'
    'cheese platter,charcuterie board,meat board,russian salad,aioli,tomato bread,snails,meatballs,tasting plates,bar food'),
  ('catalan',
    'cocina mallorquina,cocina menorquina,cocina andorrana,cocina ampurdanesa,cocina montaña,comida mallorquina,comida andorrana,calçotada,'
    'calsots,calsotada,butifarra,escalivada,esqueixada,fricandó,trinxat,alioli,romesco,crema catalana,pan tomate,canelones,caracoles,mar montaña,'
    'xató,coca recapte,suquet,fuet,sobrasada,tumbet,frito mallorquín,pa oli,níscalos,jabalí,civet,pies cerdo,carrilleras,brasa,masía,cava,ratafía,'
    'mel mató,plato setas',
    'cuina mallorquina,cuina menorquina,cuina eivissenca,cuina andorrana,cuina empordanesa,cuina muntanya,cuina terra,cuina proximitat,'
    'plats catalans,calçotades,botifarra,botifarres,mongetes seques,carn olla,allioli,salvitxada,pa tomàquet,caragols,mar muntanya,coques,'
    'samfaina,espinacs catalana,faves,cap pota,peus porc,galtes porc,llonganissa,sobrassada,trempó,frit mallorquí,arròs brut,sopes mallorquines,'
    'olleta,esgarraet,espencat,borreta,bolets,rovellons,senglar,isard,cabrit,graellada,celler,fonda catalana,porró,torrades embotit',
    'catalan dishes,catalan menu,catalan sausage,aioli,catalan cream,bread tomato,cannelloni,snails,surf turf,mountain food,mountain restaurant,'
    'andorran food,mallorcan food,mallorcan restaurant,majorcan food,menorcan food,wild mushrooms,wild boar,farmhouse restaurant,grilled lamb,'
    'local cuisine,regional food'),
  ('seafood',
    'mariscada,marisquero,marinero,pescadito,fritura,freiduría,frito mixto,paellita,paellera,arrocero,arroces,fideuá,socarrat,zarzuela,suquet,'
    'caldereta,langostino,langosta,bogavante,cigala,carabineros,centollo,nécora,buey mar,percebes,ostra,almeja,coquinas,mejillón,berberechos,'
    'vieiras,zamburiñas,navajas plancha,pulpo,pulpito,calamar,chipirones,sepia,chocos,boquerones,sardina,espeto,anchoas,bacalao,merluza,lubina,'
    'dorada sal,rodaballo,lenguado,atún,salmón,salmonete,anguila,all pebre,puerto comer,lonja,comer playa,cocina valenciana,cocina mediterránea',
    'mariscades,mariner,marinera,peixos,peixet,paelleta,arrossos,fideuada,rossejat,sarsuela,llagostí,llagostins,llagosta,llamàntol,escamarlà,'
    'escamarlans,ostres,cloïsses,cloïssa,clòtxines,tellines,escopinyes,petxines,navalles planxa,popets,calamarsons,xipirons,sípia,seitons,'
    'sardines,sardinada,anxoves,bacallà,lluç,llobarro,orada,turbot,llenguado,tonyina,salmó,allipebre,llotja,menjar platja,cuina valenciana,'
    'cuina mediterrània,raor,musclos vapor,pop gallega',
    'catch day,lobster,langoustine,langoustines,shrimp,crab,crayfish,oyster,clam,mussel,scallops,cockles,squid,calamari,octopus,cuttlefish,'
    'sardine,anchovies,cod,hake,sea bass,seabass,sea bream,monkfish,tuna,red mullet,eel,bouillabaisse,fisherman,harbour restaurant,'
    'harbor restaurant,beach restaurant,seafront restaurant,waterfront restaurant,seaside lunch,valencian food,mediterranean food,'
    'mediterranean restaurant'),
  ('pizza',
    'pizzero,pizzita,cocina italiana,trattoria,tratoria,ristorante,osteria,horno leña,masa fina,napolitana,margherita,cuatro quesos,'
    'cuatro estaciones,pepperoni,peperoni,carbonara,calzone,focaccia,mozzarella,burrata,espaguetis,spaghetti,macarrones,tallarines,ravioli,'
    'tortellini,ñoquis,gnocchi,lasaña,canelones,risotto,boloñesa,pesto,tiramisú,panna cotta,parmesano,prosciutto,carpaccio,antipasto,limoncello,'
    'lambrusco',
    'cuina italiana,forn llenya,massa fina,quatre formatges,quatre estacions,nyoquis,lasanya,lasanyes,bolonyesa,parmesà',
    'wood fired,wood oven,stone baked,crust,neapolitan,four cheese,bolognese,macaroni,tagliatelle,linguine,penne,lasagne,lasagna,cannelloni,'
    'garlic bread,parmesan,antipasti'),
  ('vegetarian',
    'vegana,vegetal,verdura,verduritas,hortalizas,veggie,flexitariano,crudivegano,crudivegana,raw food,comida sana,comer sano,saludable,healthy,'
    'comida ligera,macrobiótico,macrobiótica,poke,quinoa,tofu,seitán,tempeh,hummus,humus,falafel,aguacate,aguacates,smoothie,smoothies,'
    'batido verde,zumo verde,zumos naturales,açai,celiaco,celíaca,celiaquía,sin lactosa,intolerante lactosa,intolerancia,alergias alimentarias,'
    'dieta comer,kombucha,gluten,comida ecológica,comida orgánica,comida bio',
    'verdures,verduretes,hortalisses,flexitarià,crudivegà,menjar sa,macrobiòtic,amanida,ensalades,alvocat,batut verd,suc verd,sucs naturals,'
    'celíac,sense lactosa,intolerant lactosa,al·lèrgies alimentàries,kombutxa',
    'veggies,vegetables,vegetable,veg food,plantbased,meatless,flexitarian,eat clean,light food,organic food,wholefood,buddha bowl,avocado,'
    'green juice,cold pressed juice,juice bar,coeliac,dairy free,lactose,food allergies,food intolerance,lentil,chickpeas,organic meal'),
  ('shopping',
    'tiendecita,comerciante,centro comercial,escaparates,rebajas,regalo',
    'botigueta,comerços,comerciant,aparadors,rebaixes,regal',
    'shopping,buying,purchase,retail,gift,presents,souvenir'),
  ('fashion',
    'ropita,prenda,traje,invitada boda,madrina,esmoquin,chaqué,blazer,chaqueta,cazadora,abrigo,plumífero,gabardina,jersey,jerséis,sudadera,'
    'camiseta,blusa,pantalón,vaqueros,tejanos,jeans,falda,pijama,lencería,sujetador,bragas,calzoncillos,calcetines,bikini,bañador,zapatería,'
    'calzado,botas,botines,sandalias,tacones,mocasines,alpargatas,zapatillas casa,bolso,cinturón,corbata,bufanda,gorro,sombrero,guantes,pañuelo,'
    'foulard,complementos,bisutería,pulsera,joyería,joyas,tallas grandes,talla grande,probador,probarme,vintage,personal shopper,vestirme,vestir,'
    'disfraz,disfraces,uniforme escolar,pantis,pendientes oro,pendientes plata,tienda outlet,zapatillas deportivas,zapatillas blancas',
    'convidada,jaqueta,jaquetes,caçadora,abric,anorac,gavardina,dessuadora,dessuadores,samarreta,samarretes,camises,brusa,bruses,pantaló,texans,'
    'texà,faldilla,faldilles,pijames,llenceria,sostenidor,mitjons,biquini,sabata,sabateria,botes,sandàlies,mocassins,espardenya,espardenyes,'
    'avarques,vambes,sabatilles casa,bossa mà,bosses mà,cinturó,gorra,barret,mocador,complements,bijuteria,arracades,collaret,polsera,joieria,'
    'joies,talles grans,talla gran,emprovador,emprovar,disfressa,disfresses,botiga outlet,sabatilles blanques,banyador dona,banyador home,'
    'calces dona,calçotets home,calçat nen,calçat dona',
    'apparel,garment,outfit,wardrobe,wear,womenswear,menswear,dress,bridesmaid,wedding guest,tuxedo,jacket,coat,raincoat,sweater,jumper,hoodie,'
    'hoodies,sweatshirt,tshirt,shirt,blouse,trousers,pants,denim,shorts,skirt,pyjamas,pajamas,lingerie,underwear,bra,knickers,socks,tights,'
    'swimsuit,swimwear,swimming trunks,shoe,footwear,boots,sandals,high heels,loafers,espadrilles,slippers,handbag,purse,necktie,bow tie,scarf,'
    'hat,gloves,jewellery,jewelry,earrings,necklace,bracelet,plus size,fitting room,thrift,costume,costumes,school uniform,outlet store,'
    'leather belt,running trainers,white trainers'),
  ('bookstores',
    'librero,librera,librito,leer,lectura,lector,lectora,cómic,tebeo,poesía,poemas,biografía,best seller,bestseller,material escolar,diccionario,'
    'enciclopedia,atlas,mapa,guías viaje,escritor,escritora,papelería,cuadernos,libreta,bolígrafo,rotuladores,lápices,mochila escolar,audiolibro,'
    'ebook,kindle,recetario,día sant jordi',
    'llibreter,llibretera,llibreteria,llibreries,llibret,novel·la,novel·les,llegir,conte,rondalles,poemes,diccionari,atles,mapes,guies viatge,'
    'guia viatge,escriptor,escriptora,papereria,quaderns,llibreta,bolígraf,retoladors,llapis,motxilla escolar,audiollibre,receptari,'
    'diada sant jordi',
    'bookseller,bookstores,fiction,thriller,read,reader,storybook,poetry,essay,biography,paperback,hardcover,antiquarian,textbook,school supplies,'
    'dictionary,encyclopedia,travel guide,guidebook,author,writer,stationery,notebook,notepad,diary,pens,pencils,audiobook,cookbook,'
    'bedtime stories'),
  ('florists',
    'florcitas,floricultura,florería,centro mesa,tulipán,girasol,clavel,orquídea,lirios,lilium,hortensias,peonías,gerberas,crisantemos,paniculata,'
    'eucalipto,ramillete,pétalos,funeral,condolencias,pésame,enamorados,día madre,aniversario boda,aniversario novia,detalle novia,pedir perdón,'
    'maceta,plantas,cactus,suculentas,bonsái,poinsettia,terrario,día sant jordi',
    'floretes,centre taula,tulipa,tulipes,gira-sol,clavell,margarides,orquídia,orquídies,lliris,hortènsies,peònies,gerberes,crisantems,pomell,'
    'toia,pètals,condol,sant valentí,enamorats,dia mare,demanar perdó,plantes,suculentes,ponsètia,diada sant jordi',
    'floral,floristry,centrepiece,centerpiece,sunflower,carnation,daisies,orchid,lilies,hydrangea,peony,chrysanthemum,buttonhole,corsage,'
    'boutonniere,wreath,sympathy,condolence,condolences,valentine,valentines,mothers day,anniversary girlfriend,anniversary wife,say sorry,'
    'houseplant,succulent,terrarium'),
  ('sporting-goods',
    'bambas,ropa deportiva,ropa deporte,material deportivo,artículos deportivos,equipamiento deportivo,equipación,camiseta fútbol,botas fútbol,'
    'balón,pelota,raqueta,pala pádel,ping pong,patines,patinete,monopatín,skate,skateboard,longboard,tabla surf,neopreno,gafas nadar,gafas bucear,'
    'aletas,bañador natación,chándal,mallas,leggings,sujetador deportivo,mochila montaña,botas montaña,botas senderismo,bastones,tienda campaña,'
    'saco dormir,esterilla,cantimplora,linterna frontal,pies gato,arnés,mosquetones,cuerda escalada,material escalada,caña pescar,cebo pesca,'
    'biciclo,ebike,mtb,btt,ciclismo,ciclista,manillar,pedal,sillín,pesas comprar,mancuernas,running,correr,runner,maillot,culotte,pala tenis,'
    'artículos pesca,pesca deportiva,licencia pesca,artículos caza',
    'vambes,bambes,sabatilles,roba esportiva,roba esport,material esportiu,articles esportius,equipament esportiu,equipació,samarreta futbol,'
    'botes futbol,pilota,pilotes,raquetes,patinet,monopatí,taula surf,neoprè,ulleres nedar,ulleres bussejar,aletes,peus ànec,banyador natació,'
    'xandall,malles,motxilla muntanya,botes muntanya,botes senderisme,tenda campanya,sac dormir,màrfega,llanterna frontal,lot frontal,peus gat,'
    'corda escalada,canya pescar,ciclisme,selló,manuelles,mallot,articles pesca,pesca esportiva,articles caça,esquer pesca',
    'sports store,sporting goods,sports equipment,sports gear,sportswear,sports clothes,activewear,jogging,football boots,cleats,football shirt,'
    'soccer jersey,soccer ball,racket,racquet,skates,rollerblades,scooter electric,surfboard,wetsuit,goggles,flippers,snorkel,tracksuit,'
    'sports bra,backpack,rucksack,hiking boots,hiking gear,hiking poles,trekking poles,tent,sleeping bag,camping gear,camping equipment,'
    'climbing shoes,climbing gear,harness,carabiner,fishing rod,fishing tackle,fishing bait,hunting gear,bicycles,cycle shop,cycling,cyclist,'
    'inner tube,handlebar,dumbbells,yoga mat,football kit,fishing gear')
) as words (code, es, ca, en),
  lateral (values ('es', es), ('ca', ca), ('en', en)) as spoken (language, terms),
  lateral unnest(string_to_array(terms, ',')) as term
where term <> ''
on conflict (category_slug, language_code, normalized_term) do nothing;
